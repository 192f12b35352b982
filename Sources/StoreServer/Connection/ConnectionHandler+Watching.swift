internal import NIOCore
internal import StoreEngine
internal import StoreProtocol

/// Names one watch of a connection for as long as the connection lives: a request id names another one once the first
/// has ended, and what was read for that one must not reach it.
struct WatchIdentity: Sendable, Hashable {
    let requestID: UInt64
    let number: UInt64
}

/// A watch that has begun.
struct RunningWatch {
    let identity: WatchIdentity
    var watch: Watch
}

/// The watches of one connection.
extension ConnectionHandler {
    var hasWatches: Bool {
        !watches.isEmpty
    }

    func startWatch(_ request: WatchRequest, _ context: RequestContext) {
        let id = context.requestID
        guard watches[id] == nil else {
            answer(context, .failure(RequestFailure(.requestIDInUse, "a watch with request id \(id) runs already")))
            return
        }
        guard watches.count < server.configuration.watchesPerConnectionMax else {
            answer(
                context,
                .failure(
                    RequestFailure(.tooManyWatches, "the connection has \(watches.count) watches, the most allowed")))
            return
        }
        // Commits are reported from here on, so that none is missed between the revision read next and the first one.
        loop.watchSubscription.watchBegan()
        do throws(StoreError) {
            let (watch, step) = Watch.start(
                request, current: try server.engine.statistics().revision,
                backlogBytesMax: server.configuration.watchBacklogBytesMax)
            lastWatchNumber += 1
            watches[id] = RunningWatch(
                identity: WatchIdentity(requestID: id, number: lastWatchNumber), watch: watch)
            machine.watchBegan()
            completed(context, failure: nil)
            perform(step, watch: id)
        } catch {
            loop.watchSubscription.watchEnded()
            answer(context, .failure(RequestFailure(error)))
        }
    }

    /// Ends a watch at its caller's wish. Nothing happens when there is none of this id.
    func endWatch(_ id: UInt64) {
        guard let running = watches[id] else {
            return
        }
        forgetWatch(id)
        withAnswers { buffer in
            server.encoder.append(
                .watchEvent([], revision: running.watch.revision), ResponseHead(id: id), to: &buffer)
        }
    }

    /// Ends watches at their caller's wish that still wait for the writes before them: they never begin.
    func endWaitingWatches(_ id: UInt64) {
        let withdrawn = machine.withdrawReads { request in
            if case .watch = request.command { request.id == id } else { false }
        }
        for runnable in withdrawn {
            guard case .watch(let watch) = runnable.request.command else {
                continue
            }
            answer(
                context(of: runnable.request, runnable.ticket), .watchEvent([], revision: watch.afterRevision ?? 0))
        }
    }

    func endWatches(_ failure: RequestFailure) {
        for id in watches.keys.sorted() {
            endWatch(id, failure)
        }
    }

    /// The connection is gone.
    func forgetWatches() {
        for id in watches.keys {
            forgetWatch(id)
        }
    }

    func deliverCommit(_ changes: [Change]) {
        let isWritable = context?.channel.isWritable ?? false
        for id in watches.keys.sorted() {
            if let step = watches[id]?.watch.committed(changes, isWritable: isWritable) {
                perform(step, watch: id)
            }
        }
    }

    func deliverPage(_ page: Result<ChangePage, RequestFailure>, _ identity: WatchIdentity) {
        let id = identity.requestID
        guard watches[id]?.identity == identity else {
            return
        }
        let isWritable = context?.channel.isWritable ?? false
        switch page {
        case .success(let page):
            if let step = watches[id]?.watch.read(page, isWritable: isWritable) {
                perform(step, watch: id)
            }
        case .failure(let failure):
            endWatch(id, failure)
        }
    }

    /// The peer takes answers again.
    func resumeWatches() {
        for id in watches.keys.sorted() {
            if let step = watches[id]?.watch.writable() {
                perform(step, watch: id)
            }
        }
    }

    private func perform(_ step: Watch.Step, watch id: UInt64) {
        if let event = step.event {
            server.metrics.recordWatchEvent()
            withAnswers { buffer in
                server.encoder.append(
                    .watchEvent(event.changes, revision: event.revision), ResponseHead(id: id, more: true), to: &buffer)
            }
        }
        if let failure = step.failure {
            endWatch(id, failure)
        } else if let after = step.readAfter {
            readPage(after: after, watch: id)
        }
    }

    private func readPage(after revision: UInt64, watch id: UInt64) {
        guard let identity = watches[id]?.identity else {
            return
        }
        let outbox = loop.outbox
        let connection = self.id
        do throws(StoreError) {
            try server.engine.readInBackground { reader in
                let page: Result<ChangePage, RequestFailure>
                do throws(StoreError) {
                    page = .success(try reader.changes(after: revision, limit: Watch.changesPerEventMax))
                } catch {
                    page = .failure(RequestFailure(error))
                }
                outbox.post(.watchPage(connection, identity, page))
            }
        } catch {
            endWatch(id, RequestFailure(error))
        }
    }

    private func endWatch(_ id: UInt64, _ failure: RequestFailure) {
        guard watches[id] != nil else {
            return
        }
        forgetWatch(id)
        refuse(id, .watch, failure)
    }

    private func forgetWatch(_ id: UInt64) {
        watches[id] = nil
        machine.watchEnded()
        loop.watchSubscription.watchEnded()
    }
}
