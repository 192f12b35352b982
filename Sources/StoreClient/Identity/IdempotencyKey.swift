/// Names one mutation, so that sending it twice has the effect of sending it once. The daemon remembers the keys of a
/// user for at least 24 hours or 1,000,000 later keys, whichever ends first, and answers a repetition with the first
/// answer (`Commit.isReplayed`).
///
/// Every mutation gets a fresh key by default, which makes the client's own retries safe. Give one yourself to make
/// a retry safe across a restart of your own program.
public struct IdempotencyKey: Hashable, Sendable {
    /// 8 to 64 bytes.
    public let bytes: [UInt8]

    /// A fresh key: the bytes of a UUIDv7, which are the cheapest for the store to remember.
    public init() {
        bytes = UUIDv7().bytes
    }

    /// - Returns: `nil` unless there are 8 to 64 bytes.
    public init?(bytes: [UInt8]) {
        guard (8...64).contains(bytes.count) else {
            return nil
        }
        self.bytes = bytes
    }
}
