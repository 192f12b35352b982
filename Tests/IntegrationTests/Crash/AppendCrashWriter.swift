import FoundationEssentials
import GhostTestSupport
import StoreBasics
import StoreProtocol
import TestBasics

/// A client that appends to a log until the daemon dies: mostly one message at a time, and batches.
struct AppendCrashWriter: Sendable {
    static let messageBytesMax = 2_000
    private static let batchMessagesMax = 6

    let log: String
    let idPrefix: String
    /// Appends sent before the first of them is answered.
    let depth: Int
    let seed: UInt64
    /// A clock that is asked after each answer.
    var clock: @Sendable () -> Int = { 0 }

    /// Blocks until the connection breaks.
    func run(_ socketPath: String) throws -> [SentCall] {
        var generator = SplitMix(seed: seed)
        return try SentCall.sendUntilKilled(socketPath, depth: depth, clock: clock) { number in
            let isBatch = Int.random(in: 0..<4, using: &generator) == 0
            let count = isBatch ? Int.random(in: 2...Self.batchMessagesMax, using: &generator) : 1
            var request = WireAppendLogRequest()
            request.name = log
            for index in 0..<count {
                request.messages.append(message("\(idPrefix)\(number).\(index) of \(count) ", &generator))
            }
            return SentCall(call: .appendLog(request), key: Array("\(idPrefix)append-\(number)".utf8))
        }
    }

    /// Unlike any other, and long enough now and then to need a page of its own.
    private func message(_ name: String, _ generator: inout SplitMix) -> Data {
        let isLong = Int.random(in: 0..<16, using: &generator) == 0
        let byteCount = Int.random(in: name.utf8.count...(isLong ? Self.messageBytesMax : 120), using: &generator)
        var bytes = [UInt8](name.utf8)
        bytes += generator.bytes(byteCount - bytes.count)
        return Data(bytes)
    }
}
