/// What a mutation did. When a call returns it, the change is on disk and survives power loss.
public struct Commit: Hashable, Sendable, Codable {
    /// The store's revision after this mutation; the one before it when nothing had to change. Not what a condition on
    /// a scene's value takes: see `valueRevisions`.
    public var revision: UInt64
    /// Ids of the entities the mutation wrote, in the order of the call.
    public var ids: [String]
    /// Entities that were not there before.
    public var createdCount: Int
    /// Entities that were there and have changed.
    public var updatedCount: Int
    /// Entities that are gone.
    public var deletedCount: Int
    /// True when an idempotency key made this the repetition of an earlier answer.
    public var isReplayed: Bool
    /// Of `setSceneValues` and `setGlobalSceneValues`: for each change, in order, the revision of the key's value
    /// behind it, as `SceneEntry` and `SceneCondition` have it; 0 for one that is gone.
    public var valueRevisions: [UInt64]
    /// True if `clearAllData` took the store out of its replica group. The other devices keep everything, and do not
    /// learn that it left.
    public var leftReplicaGroup: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(
        revision: UInt64, ids: [String] = [], createdCount: Int = 0, updatedCount: Int = 0, deletedCount: Int = 0,
        isReplayed: Bool = false, valueRevisions: [UInt64] = [], leftReplicaGroup: Bool = false
    ) {
        self.revision = revision
        self.ids = ids
        self.createdCount = createdCount
        self.updatedCount = updatedCount
        self.deletedCount = deletedCount
        self.isReplayed = isReplayed
        self.valueRevisions = valueRevisions
        self.leftReplicaGroup = leftReplicaGroup
    }
}

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
                in: container, debugDescription: "an idempotency key has 8 to 64 bytes")
        }
        self = key
    }

    /// Writes its bytes as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}
