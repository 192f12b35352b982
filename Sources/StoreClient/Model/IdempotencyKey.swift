/// Names one mutation, so that sending it twice has the effect of sending it once. The daemon keeps a user's
/// keys for at least the next 65,536 of the same user, and answers a repetition with the first answer
/// (`Commit.isReplayed`). A key stands for one call with one content: used for anything else it is
/// `.idempotencyKeyReused`, and nothing happens.
///
/// Every mutation gets a fresh key by default, which makes the client's own retries safe. Give one yourself to make
/// a retry safe across a restart of your own program.
public struct IdempotencyKey: Hashable, Sendable, Codable {
    /// 8 to 64 bytes.
    public let bytes: [UInt8]

    /// A fresh key: the bytes of a UUIDv7, which are the cheapest for the store to remember.
    public init() {
        bytes = UUIDv7().bytes
    }

    /// - Returns: `nil` unless there are 8 to 64 bytes.
    public init?(bytes: [UInt8]) {
        guard (8...64).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Reads an array of 8 to 64 bytes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let key = IdempotencyKey(bytes: try container.decode([UInt8].self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "an idempotency key must have 8 to 64 bytes")
        }
        self = key
    }

    /// Writes its bytes as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}
