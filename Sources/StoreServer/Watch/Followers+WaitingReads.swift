import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// Reads that wait for something to read.
extension Followers {
    func begin(_ wait: WaitingRead, milliseconds: UInt32, _ request: RunningRequest) {
        let id = request.id
        if let failure = refusal(of: wait.subject)
            ?? reserveSlot(id, among: waitingReads.keys, "waiting read", "waiting reads")
        {
            connection.answer(request, .failure(failure))
            return
        }
        // Subscribe before the first read, so that no event between that read and the wait is missed.
        loop.watchSubscription.waitingReadBegan(wait.subject)
        let time = TimeAmount.milliseconds(Int64(milliseconds))
        let timer = loop.eventLoop.scheduleTask(in: time) { [loop, connectionID = connection.id] in
            loop.connection(connectionID)?.followers.waitingReadExpired(id) ?? ()
        }
        let history = request.history ?? (try? server.engine.statistics())?.history
        let running = RunningRead(
            request: request.ofWaitingRead, number: nextNumber(), history: history, wait: wait, timer: timer)
        waitingReads[id] = running
        loop.fanOut.insert(running.key(connection.id), of: connection.caller.uid, [wait.subject.topic])
        perform(.read, waitingRead: id)
    }

    func readNothing(_ empty: Answer, for request: RunningRequest) {
        if let step = waitingReads[request.id]?.wait.readNothing(empty) {
            perform(step, waitingRead: request.id)
        }
    }

    func endWaitingReads(_ failure: StoreError?) {
        for id in waitingReads.keys.sorted() {
            endWaitingRead(id, failure)
        }
    }

    /// Removes a waiting read whose last answer was written.
    func forgetWaitingRead(_ id: UInt64) {
        guard let running = waitingReads.removeValue(forKey: id) else { return }
        running.timer.cancel()
        loop.fanOut.remove(running.key(connection.id), of: connection.caller.uid)
        server.followerPlaces.release(of: connection.caller.uid)
        loop.watchSubscription.waitingReadEnded(running.wait.subject)
    }

    func endWaitingRead(_ id: UInt64, _ failure: StoreError?) {
        if let step = waitingReads[id]?.wait.end(failure) {
            perform(step, waitingRead: id)
        }
    }

    private func waitingReadExpired(_ id: UInt64) {
        endWaitingRead(id, nil)
        connection.finishDeliveries()
    }

    func perform(_ step: WaitingRead.Step, waitingRead id: UInt64) {
        guard let running = waitingReads[id] else { return }
        switch step {
        case .nothing: break
        case .read: read(running)
        case .answer(let answer): connection.answer(running.request, answer)
        }
    }

    private func read(_ running: RunningRead) {
        let request = running.request
        loop.followerReads.submit(uid: request.userID) { [loop, connectionID = connection.id] in
            loop.connection(connectionID)?.followers.startReading(for: request) ?? false
        }
    }

    /// - Returns: False if no result will arrive.
    private func startReading(for request: RunningRequest) -> Bool {
        guard let running = waitingReads[request.id], running.request.ticket == request.ticket else { return false }
        if let step = running.wait.endsUnread {
            perform(step, waitingRead: request.id)
            return false
        }
        switch running.wait.subject {
        case .log(let query):
            return startReading(query, of: running.history, for: request)
        case .replicaMessages(let take):
            loop.watchSubscription.replicationHeard()
            loop.runner.readMessages(take, of: running.history, for: request, connection.workOwner)
            return true
        }
    }

    /// - Returns: False if no result will arrive.
    private func startReading(_ query: LogQuery, of history: HistoryID?, for request: RunningRequest) -> Bool {
        let outbox = loop.outbox
        let server = server
        do throws(StoreError) {
            try server.engine.readInBackground(for: connection.workOwner) { [life = connection.life] reader in
                if life.isOver {
                    return outbox.post(.request(request, .answer(.failure(.connectionClosed))))
                }
                let reader = reader.expecting(history)
                switch Answer({ () throws(StoreError) in .logEntries(try reader.logEntries(query)) }) {
                case .logEntries(let page) where page.entries.isEmpty:
                    outbox.post(.request(request, .caughtUp(.logEntries(page))))
                case let answer:
                    outbox.post(.request(request, .encoded(answer, request, server)))
                }
            }
            return true
        } catch {
            connection.answer(request, .failure(error))
            return false
        }
    }
}
