import FoundationEssentials
import GhostTestSupport
import StoreBasics
import StoreProtocol
import TestBasics

/// A client that appends to a log until the daemon dies, mostly one message at a time and sometimes a batch.
struct AppendCrashWriter: Sendable {
    static let messageBytesMax = 2_000
    private static let batchMessagesMax = 6

    let log: String
    let idPrefix: String
    /// The number of appends that are sent before the first of them is answered.
    let depth: Int
    let seed: UInt64
    /// A clock that is read after each response.
    var clock: @Sendable () -> Int = { 0 }

    /// Appends until the connection breaks. Blocks the thread meanwhile.
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

    /// Returns a unique message. Some messages are so long that they need a page of their own.
    private func message(_ name: String, _ generator: inout SplitMix) -> Data {
        let isLong = Int.random(in: 0..<16, using: &generator) == 0
        let byteCount = Int.random(in: name.utf8.count...(isLong ? Self.messageBytesMax : 120), using: &generator)
        var bytes = [UInt8](name.utf8)
        bytes += generator.bytes(byteCount - bytes.count)
        return Data(bytes)
    }
}
