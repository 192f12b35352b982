import StoreProtocol
import TestBasics

/// A client that writes until the daemon dies, and records the responses.
struct CrashWriter: Sendable {
    let conversation: String
    let idPrefix: String
    /// The number of writes that are sent before the first of them is answered.
    let depth: Int
    let seed: UInt64
    /// A clock that is read after each response.
    var clock: @Sendable () -> Int = { 0 }

    /// A write that was sent, with its idempotency key.
    struct Sent: Sendable {
        let step: CrashStep
        let key: [UInt8]
        var commit: WireCommit?
        var answeredAt = 0
    }

    struct Log: Sendable {
        let writer: CrashWriter
        /// The writes in the order in which they were sent.
        var sent: [Sent] = []
        /// The reasons of errors. There should be none.
        var refusals: [String] = []

        /// The number of writes up to the last acknowledged one. Writes are applied in the order sent, so all of these
        /// must be in the store.
        var answeredCount: Int {
            (sent.lastIndex { $0.commit != nil } ?? -1) + 1
        }

        /// Returns the log as if everything had ended at `time`.
        func cut(at time: Int) -> Log {
            var log = self
            for index in log.sent.indices where log.sent[index].answeredAt > time {
                log.sent[index].commit = nil
            }
            return log
        }
    }

    /// Writes until the connection breaks. Blocks the thread meanwhile.
    func run(_ socketPath: String) throws -> Log {
        var log = Log(writer: self)
        var maker = CrashStepMaker(idPrefix: idPrefix, seed: seed)
        var unanswered = 0
        do {
            let connection = try RawConnection(socketPath)
            while true {
                while unanswered < depth {
                    let step = maker.next()
                    let key = Array("\(idPrefix)-key-\(log.sent.count)".utf8)
                    log.sent.append(Sent(step: step, key: key))
                    try connection.send(
                        UInt64(log.sent.count), step.call(conversation: conversation), key: key)
                    unanswered += 1
                }
                guard let response = try connection.receive() else { return log }
                unanswered -= 1
                switch response.result {
                case .commit(let committed):
                    log.sent[Int(response.id) - 1].commit = committed
                    log.sent[Int(response.id) - 1].answeredAt = clock()
                case .error(let error): log.refusals.append(error.reason)
                default: log.refusals.append("an unexpected result")
                }
            }
        } catch is RawConnection.Closed {
            return log
        }
    }
}
