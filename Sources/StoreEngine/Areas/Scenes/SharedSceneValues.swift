import SQLCipher
import StoreBasics

/// Values of the global tier that a transaction has set and not written yet.
///
/// Setting a value in a scene also sets it in the global tier, so the requests of a transaction often set the same few
/// keys. Each request gets its own change and revision, but only the last value of a key is written.
struct SharedSceneValues {
    struct Value {
        /// The number of the existing row; `nil` for a new one.
        let number: Int64?
        let revision: UInt64
        let bytes: [UInt8]
    }

    private var values: [SceneKey: Value] = [:]

    subscript(key: SceneKey) -> Value? {
        get { values[key] }
        set { values[key] = newValue }
    }

    var isEmpty: Bool { values.isEmpty }

    /// Removes and returns all values, in the order in which they were set.
    mutating func drain() -> [(key: SceneKey, value: Value)] {
        defer { values.removeAll(keepingCapacity: true) }
        return values.sorted { $0.value.revision < $1.value.revision }.map { (key: $0.key, value: $0.value) }
    }
}

extension SceneWrites {
    /// Sets a value of the global tier.
    ///
    /// - Returns: The same as `set` for a value of one scene.
    func setShared(
        _ bytes: [UInt8], of key: SceneKey
    ) throws(StoreError) -> (operation: ChangeOperation?, revision: UInt64?) {
        let number: Int64?
        let isThere: Bool
        if let waiting = sharedSceneValues[key] {
            guard waiting.bytes != bytes else { return (nil, waiting.revision) }
            (number, isThere) = (waiting.number, true)
        } else if let row = try connection.first(Self.selectValue, SceneTiers.globalScene, key) {
            guard !row.borrowedBytes(0).hasSameBytes(as: bytes) else { return (nil, row.unsigned(1)) }
            (number, isThere) = (row.integer(2), true)
        } else {
            (number, isThere) = (nil, false)
        }
        let operation: ChangeOperation = isThere ? .updated : .created
        let revision = record(.sceneValue, operation, id: key.text, parent: SceneTiers.globalScene)
        sharedSceneValues[key] = SharedSceneValues.Value(number: number, revision: revision, bytes: bytes)
        return (operation, revision)
    }

    /// Writes the pending values. Must be called before other work of the transaction reads these values, and at the
    /// end of the transaction.
    func writeSharedSceneValues() throws(StoreError) {
        guard !sharedSceneValues.isEmpty else { return }
        for (key, value) in sharedSceneValues.drain() {
            try writeRow(
                value.bytes, of: key, in: SceneTiers.globalScene, over: value.number, value.revision, at: now)
        }
    }

    private static let selectValue = StatementText(
        "SELECT value, revision, number FROM scene_values WHERE scene = ?1 AND key = ?2")
}
