import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// The identity of one watch of a connection. A request ID can be used again after its watch has ended, and a read for
/// the ended watch must not reach the new watch.
struct WatchIdentity: Sendable, Hashable {
    let userID: UInt32
    let requestID: UInt64
    let number: UInt64
}

/// The followers of one connection: its watches, and its reads that wait for something to read.
///
/// This object performs what the state machines `Watch` and `WaitingRead` decide. Watches and waiting reads are named
/// by the ID of their request, have the same limit, receive commits through the subscription of the loop, and read on
/// the engine's reader threads.
final class Followers {
    private struct RunningWatch {
        let identity: WatchIdentity
        /// The history that the watch follows. Its revisions mean nothing in another history.
        let history: HistoryID
        var watch: Watch

        func key(_ connection: ConnectionID) -> FollowerKey {
            FollowerKey(
                connection: connection, requestID: identity.requestID, isWaitingRead: false, number: identity.number)
        }
    }

    struct RunningRead {
        /// The request, which is in flight until the wait is answered.
        let request: RunningRequest
        let number: UInt64
        /// The history in which the wait began; `nil` if no store was open.
        let history: HistoryID?
        var wait: WaitingRead
        let timer: Scheduled<Void>

        func key(_ connection: ConnectionID) -> FollowerKey {
            FollowerKey(connection: connection, requestID: request.id, isWaitingRead: true, number: number)
        }
    }

    unowned let connection: ConnectionHandler
    let loop: ConnectionLoop
    let server: ServerContext
    private var watches: [UInt64: RunningWatch] = [:]
    private var lastNumber: UInt64 = 0
    var waitingReads: [UInt64: RunningRead] = [:]
    /// The rights after a reload. A request that was decoded before the reload may begin after it.
    private var reloaded: (permissions: CallPermissions, uid: UInt32)?

    init(of connection: ConnectionHandler, on loop: ConnectionLoop) {
        self.connection = connection
        self.loop = loop
        server = loop.server
    }

    var hasWatches: Bool {
        !watches.isEmpty
    }

    var hasWaitingReads: Bool {
        !waitingReads.isEmpty
    }

    /// Ends the watch and the waiting read with this ID because the caller cancelled them. Does nothing if neither
    /// exists.
    func cancel(_ id: UInt64) {
        if let ended = watches[id] {
            forgetWatch(id)
            connection.answers.append(
                .watchEvent(WatchEvent(changes: [], revision: ended.watch.revision, history: ended.history)),
                ResponseHead(id: id))
        }
        endWaitingRead(id, nil)
    }

    /// Applies new rights: ends the followers that are not allowed any more.
    func permissionsChanged(_ permissions: CallPermissions, uid: UInt32) {
        reloaded = (permissions, uid)
        if hasWatches, let failure = refusalOfWatch() {
            endWatches(failure)
        }
        for (id, running) in waitingReads.sorted(by: { $0.key < $1.key }) {
            if let failure = running.wait.subject.refusal(permissions, uid: uid) {
                endWaitingRead(id, failure)
            }
        }
    }

    /// Returns the reason why the rights after a reload forbid a watch; `nil` if they allow it.
    private func refusalOfWatch() -> StoreError? {
        guard let reloaded, !reloaded.permissions.allows(.watch) else { return nil }
        return StoreError(.permissionDenied, "user \(reloaded.uid) has no right to watch any more")
    }

    /// Returns the reason why the rights after a reload forbid a waiting read; `nil` if they allow it.
    func refusal(of subject: WaitSubject) -> StoreError? {
        reloaded.flatMap { subject.refusal($0.permissions, uid: $0.uid) }
    }

    /// Removes all followers, because the connection is closed.
    func forget() {
        forgetWatches()
        for (id, running) in waitingReads {
            connection.abandoned(running.request)
            forgetWaitingRead(id)
        }
    }

    /// Counts one more follower against the limits. Returns an error if a limit is reached, or if the request id is in
    /// use.
    func reserveSlot(
        _ id: UInt64, among ids: some Collection<UInt64>, _ what: String, _ several: String
    ) -> StoreError? {
        if ids.contains(id) {
            return StoreError(.requestIDInUse, "a \(what) with request id \(id) is already running")
        }
        guard ids.count < server.configuration.watchesPerConnectionMax else {
            return StoreError(.tooManyWatches, "the connection has \(ids.count) \(several); it can have no more")
        }
        guard server.followerPlaces.acquire(for: connection.caller.uid) else {
            return StoreError(
                .tooManyWatches,
                "this user has too many watches and waiting reads: a user can have at most as many of them as are "
                    + "still free; end one, or try again later")
        }
        return nil
    }

    /// Returns a number that distinguishes a follower from all earlier ones.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Sends one follower an event that concerns it.
    func deliver(_ news: News, _ key: FollowerKey) {
        let id = key.requestID
        guard !key.isWaitingRead else {
            if waitingReads[id]?.number == key.number, let step = waitingReads[id]?.wait.touched() {
                perform(step, waitingRead: id)
            }
            return
        }
        guard let running = watches[id], running.identity.number == key.number, news.history == running.history else {
            return
        }
        let isWritable = connection.answers.isWritable
        switch news {
        case .commit(let commit):
            if let step = watches[id]?.watch.committed(commit.changes, isWritable: isWritable) {
                perform(step, watch: id)
            }
        case .behind(let revision, _):
            if let step = watches[id]?.watch.fellBehind(revision, isWritable: isWritable) {
                perform(step, watch: id)
            }
        case .standing(let revision, _):
            if let step = watches[id]?.watch.carryForward(through: revision, isWritable: isWritable) {
                perform(step, watch: id)
            }
        case .logs, .replication:
            break
        }
    }

    // MARK: Watches

    func begin(_ watch: WatchRequest, _ request: RunningRequest) {
        let id = request.id
        if let failure = refusalOfWatch() ?? reserveSlot(id, among: watches.keys, "watch", "watches") {
            connection.answer(request, .failure(failure))
            return
        }
        // Subscribe before the current revision is read, so that no commit after that revision is missed.
        loop.watchSubscription.watchBegan()
        let filter = watch.filter
        do throws(StoreError) {
            try server.engine.expect(request.history)
            let current = try server.engine.statistics()
            let (watch, step) = Watch.start(
                watch, current: current.revision, backlogBytesMax: server.configuration.watchBacklogBytesMax)
            let running = RunningWatch(
                identity: WatchIdentity(userID: connection.caller.uid, requestID: id, number: nextNumber()),
                history: current.history, watch: watch)
            watches[id] = running
            loop.fanOut.insert(running.key(connection.id), of: connection.caller.uid, filter.topics)
            connection.watchBegan()
            connection.completed(request, failure: nil)
            perform(step, watch: id)
        } catch {
            loop.watchSubscription.watchEnded()
            server.followerPlaces.release(of: connection.caller.uid)
            connection.answer(request, .failure(error))
        }
    }

    func read(_ page: Result<ChangePage, StoreError>, for identity: WatchIdentity) {
        let id = identity.requestID
        guard watches[id]?.identity == identity else { return }
        switch page {
        case .success(let page):
            if let step = watches[id]?.watch.read(page, isWritable: connection.answers.isWritable) {
                perform(step, watch: id)
            }
        case .failure(let failure):
            endWatch(id, failure)
        }
    }

    /// Continues the watches when the peer reads its answers again.
    func resume() {
        for id in watches.keys.sorted() {
            if let step = watches[id]?.watch.writable() {
                perform(step, watch: id)
            }
        }
    }

    func endWatches(_ failure: StoreError) {
        for id in watches.keys.sorted() {
            endWatch(id, failure)
        }
    }

    /// Ends the watches that follow an earlier history of the store. Watches that already follow the new history
    /// continue.
    func historyChanged(to history: HistoryID, _ failure: StoreError) {
        for id in watches.filter({ $0.value.history != history }).keys.sorted() {
            endWatch(id, failure)
        }
    }

    /// Removes the watches without sending an answer.
    func forgetWatches() {
        for id in watches.keys {
            forgetWatch(id)
        }
    }

    private func perform(_ step: Watch.Step, watch id: UInt64) {
        if let event = step.event, let history = watches[id]?.history {
            server.metrics.recordWatchEvent()
            connection.answers.append(
                .watchEvent(WatchEvent(changes: event.changes, revision: event.revision, history: history)),
                ResponseHead(id: id, more: true))
            // A peer that does not read its answers must be noticed before the next event is encoded.
            connection.answers.flushWhenLarge()
        }
        if let failure = step.failure {
            endWatch(id, failure)
        } else if let after = step.readAfter {
            readChanges(after: after, watch: id)
        }
    }

    private func readChanges(after revision: UInt64, watch id: UInt64) {
        guard let identity = watches[id]?.identity else { return }
        loop.followerReads.submit(uid: identity.userID) { [loop, connectionID = connection.id] in
            loop.connection(connectionID)?.followers.startReading(after: revision, for: identity) ?? false
        }
    }

    /// - Returns: False if no result will arrive.
    private func startReading(after revision: UInt64, for identity: WatchIdentity) -> Bool {
        guard let running = watches[identity.requestID], running.identity == identity else { return false }
        let (history, filter) = (running.history, running.watch.filter)
        let outbox = loop.outbox
        let connectionID = connection.id
        do throws(StoreError) {
            try server.engine.readInBackground(for: connection.workOwner) { [life = connection.life] reader in
                if life.isOver {
                    return outbox.post(.watchPage(connectionID, identity, .failure(.connectionClosed)))
                }
                let page = Result { () throws(StoreError) in
                    try reader.expecting(history).changes(after: revision, limit: Watch.changesPerEventMax, filter)
                }
                outbox.post(.watchPage(connectionID, identity, page))
            }
            return true
        } catch {
            endWatch(identity.requestID, error)
            return false
        }
    }

    private func endWatch(_ id: UInt64, _ failure: StoreError) {
        guard watches[id] != nil else { return }
        forgetWatch(id)
        connection.refuse(id, .watch, failure)
    }

    private func forgetWatch(_ id: UInt64) {
        guard let running = watches.removeValue(forKey: id) else { return }
        loop.fanOut.remove(running.key(connection.id), of: connection.caller.uid)
        server.followerPlaces.release(of: connection.caller.uid)
        connection.watchEnded()
        loop.watchSubscription.watchEnded()
    }
}
