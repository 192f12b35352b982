/// Identifies one mutation, so that sending it twice has the effect of sending it once. The daemon keeps a user's key
/// for at least the next 65,536 mutations of that user, and answers a repetition with the first answer
/// (`Commit.isReplayed`). A key belongs to one call with one content. With any other call or content, the daemon
/// returns `.idempotencyKeyReused`, and the call has no effect.
///
/// Every mutation has a new key by default, which makes the client's own retries safe. Pass a key yourself to make a
/// retry safe across a restart of your program.
public struct IdempotencyKey: Hashable, Sendable, Codable {
    /// The key, 8 to 64 bytes.
    public let bytes: [UInt8]

    /// Creates a new key: the bytes of a UUIDv7, which are the cheapest for the store to keep.
    public init() {
        bytes = UUIDv7().bytes
    }

    /// Creates a key from bytes.
    ///
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

    /// Writes the bytes as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}
