import Logging
import ReplicaModel
import StoreBasics
import StoreEngine
import StoreProtocol

/// Runs the calls that carry messages between the store and the stream of its replica group, on the writer thread.
extension RequestRunner {
    func perform(
        _ command: ReplicaCommand, _ pending: PendingRequest, _ request: RunningRequest,
        _ connection: ConnectionHandler
    ) {
        switch command {
        case .take(let take):
            self.readMessages(take, of: pending.history, for: request, connection.workOwner, deadline: pending.deadline)
        case .handIn(let message):
            handIn(message, pending, request, connection)
        }
    }

    /// Reads messages and encodes the answer on the same thread, because the answer may have several mebibytes.
    func readMessages(
        _ take: OutgoingRequest, of history: HistoryID?, for request: RunningRequest, _ owner: WorkOwner,
        deadline: UInt64? = nil
    ) {
        let write = WriteRequest(.replica(.take(take)), owner: owner, deadline: deadline, history: history)
        server.engine.submit(write) { [outbox, server] result in
            switch result {
            case .success(.replica(.taken(let messages))) where messages.isEmpty && request.isWaitingRead:
                outbox.post(.request(request, .caughtUp(.replicaMessages(ReplicaMessages(messages: [])))))
            case .success(let result):
                outbox.post(.request(request, .encoded(Answer(result, for: request.answerScope), request, server)))
            case .failure(let error):
                outbox.post(.request(request, .answer(.failure(error))))
            }
        }
    }

    private func handIn(
        _ message: ReplicaMessage, _ pending: PendingRequest, _ request: RunningRequest,
        _ connection: ConnectionHandler
    ) {
        let mutation = Mutation.replica(.handIn(message))
        let write = WriteRequest(
            mutation, owner: connection.workOwner, deadline: pending.deadline, history: pending.history,
            byteCount: pending.bytes)
        let (channel, uid, logger) = (message.channel, connection.caller.uid, connection.loop.logger)
        server.engine.submit(write) { [outbox, server] result in
            if case .success(.replica(.handedIn(let handedIn))) = result {
                server.metrics.recordHandedIn(handedIn.reason)
                if case .refused = handedIn {
                    server.causedLines.write(
                        .warning, "a message of the replica group was refused",
                        [
                            "channel": "\(channel.text)", "reason": "\(handedIn.reason?.rawValue ?? "")",
                            "uid": "\(uid)",
                        ],
                        uid: uid, to: logger)
                }
                // The received message may create an answer in the group's stream. Such an answer is no change of the
                // store, so it is announced separately.
                server.hub.announceReplication()
            }
            outbox.post(.request(request, .committed(result, of: mutation)))
        }
    }
}
