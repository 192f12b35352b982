import StoreProtocol
import TestBasics

/// A client that writes until the daemon dies, and remembers what it was told.
struct CrashWriter: Sendable {
    let conversation: String
    let idPrefix: String
    /// Writes sent before the first of them is answered.
    let depth: Int
    let seed: UInt64
    /// A clock that is asked after each answer.
    var clock: @Sendable () -> Int = { 0 }

    /// A write that was sent, with the key it was sent under.
    struct Sent: Sendable {
        let step: CrashStep
        let key: [UInt8]
        var commit: WireCommit?
        var answeredAt = 0
    }

    struct Log: Sendable {
        let writer: CrashWriter
        /// In the order sent.
        var sent: [Sent] = []
        /// Reasons of refusals: there should be none.
        var refusals: [String] = []

        /// Writes are applied in the order sent, so everything before the last answered one must be there.
        var answeredCount: Int {
            (sent.lastIndex { $0.commit != nil } ?? -1) + 1
        }

        /// As if everything had ended at a time.
        func cut(at time: Int) -> Log {
            var log = self
            for index in log.sent.indices where log.sent[index].answeredAt > time {
                log.sent[index].commit = nil
            }
            return log
        }
    }

    /// Blocks until the connection breaks.
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
