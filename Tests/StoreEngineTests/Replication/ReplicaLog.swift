import ReplicaModel

/// The stream of a replica group in memory. It keeps its messages until a test removes them, and counts sequences that
/// are used twice.
final class ReplicaLog {
    /// The messages by channel and sequence.
    private(set) var messages: [ReplicaChannel: [UInt64: [UInt8]]]
    /// The number of messages that were published again with other bytes. A sequence must never be used twice, so tests
    /// expect 0.
    private(set) var differingCount = 0

    init(_ messages: [ReplicaChannel: [UInt64: [UInt8]]] = [:]) {
        self.messages = messages
    }

    func append(_ channel: ReplicaChannel, _ sequence: UInt64, _ bytes: [UInt8]) {
        if let known = messages[channel]?[sequence] {
            differingCount += known == bytes ? 0 : 1
            return
        }
        messages[channel, default: [:]][sequence] = bytes
    }

    /// Returns the first kept message after a position, and true if no earlier message of the channel is kept.
    func next(_ channel: ReplicaChannel, after place: UInt64) -> (bytes: [UInt8], isOldestKept: Bool)? {
        guard let kept = messages[channel] else { return nil }
        guard let sequence = kept.keys.filter({ $0 > place }).min(), let bytes = kept[sequence] else { return nil }
        return (bytes, sequence == kept.keys.min())
    }

    func message(_ channel: ReplicaChannel, _ sequence: UInt64) -> [UInt8]? { messages[channel]?[sequence] }

    func messages(of channel: ReplicaChannel) -> [[UInt8]] { messages[channel].map { Array($0.values) } ?? [] }

    var channels: [ReplicaChannel] { Array(messages.keys) }

    func lastSequence(_ channel: ReplicaChannel) -> UInt64 { messages[channel]?.keys.max() ?? 0 }

    /// Keeps only the newest `count` messages of each channel.
    func trim(keeping count: Int) {
        for (channel, kept) in messages {
            let gone = kept.keys.sorted().dropLast(count)
            gone.forEach { messages[channel]?[$0] = nil }
        }
    }

    func forget(_ channel: ReplicaChannel) {
        messages[channel] = nil
    }

    func forgetEverything() {
        messages.removeAll()
    }

    func replace(_ channel: ReplicaChannel, _ sequence: UInt64, by bytes: [UInt8]) {
        messages[channel, default: [:]][sequence] = bytes
    }

    /// The bytes of all messages, for searches.
    var everything: [[UInt8]] { messages.values.flatMap(\.values) }
}
