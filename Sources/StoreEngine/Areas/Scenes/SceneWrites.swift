import SQLCipher
import StoreBasics

/// The part of a transaction that sets and deletes the values of scenes.
final class SceneWrites: TransactionWork {
    let transaction: Transaction
    /// Values of the global tier that were set and whose rows are not written yet.
    var sharedSceneValues = SharedSceneValues()

    init(_ transaction: Transaction) {
        self.transaction = transaction
    }
}

extension SceneWrites {
    /// Sets and removes keys in order, if every condition holds. `.sceneAndGlobal` changes the keys in both tiers.
    /// Values that are equal to the stored ones are not written again.
    func setSceneValues(
        _ tiers: SceneTiers, _ changes: [SceneChange], conditions: [SceneCondition]
    ) throws(StoreError) -> Commit {
        try FieldLimits.checkCount(changes.count, named: "changes")
        for change in changes {
            try FieldLimits.checkSceneValue(change.value)
        }
        try check(conditions, in: tiers.own)
        var commit = Commit()
        commit.valueRevisions.reserveCapacity(changes.count)
        for change in changes {
            let (operation, revision) = try apply(change, to: tiers.own)
            commit.valueRevisions.append(revision ?? 0)
            switch operation {
            case .created: commit.createdCount += 1
            case .updated: commit.updatedCount += 1
            case .deleted: commit.deletedCount += 1
            case .cleared, nil: break
            }
            if let fallback = tiers.fallback {
                _ = try apply(change, to: fallback)
            }
        }
        return commit
    }

    private func check(_ conditions: [SceneCondition], in scene: String) throws(StoreError) {
        guard conditions.count <= EngineLimits.requestEntitiesMax else {
            throw .tooMany(conditions.count, "conditions", countMax: EngineLimits.requestEntitiesMax)
        }
        for (index, condition) in conditions.enumerated() {
            let found = try revision(of: condition.key, in: scene)
            guard found == condition.revision else {
                throw StoreError(
                    .sceneConditionFailed,
                    "condition \(index + 1) of \(conditions.count) does not hold: the key has "
                        + (found.map { "a value of revision \($0)" } ?? "no value") + "; read the key again")
            }
        }
    }

    private func revision(of key: SceneKey, in scene: String) throws(StoreError) -> UInt64? {
        try connection.first(Self.selectRevision, scene, key)?.unsigned(0)
    }

    /// - Returns: The operation, `nil` if nothing had to change; and the revision of the present value, if it exists.
    private func apply(
        _ change: SceneChange, to scene: String
    ) throws(StoreError) -> (operation: ChangeOperation?, revision: UInt64?) {
        if let value = change.value {
            guard scene == SceneTiers.globalScene else { return try set(value, of: change.key, in: scene) }
            return try setShared(value, of: change.key)
        }
        if scene == SceneTiers.globalScene {
            try writeSharedSceneValues()
        }
        guard try revision(of: change.key, in: scene) != nil else { return (nil, nil) }
        return (try delete(change.key, from: scene), nil)
    }

    /// Sets a value. One statement finds, compares and replaces the existing value. If the statement changes no row,
    /// the value is new or equal.
    private func set(
        _ value: [UInt8], of key: SceneKey, in scene: String
    ) throws(StoreError) -> (operation: ChangeOperation?, revision: UInt64?) {
        let revision = nextRevision
        let writtenBefore = connection.totalChanges
        try connection.run(Self.replaceValue, scene, key, revision, now, value)
        if connection.totalChanges != writtenBefore {
            removedContent = true
            record(.sceneValue, .updated, id: key.text, parent: scene)
            return (.updated, revision)
        }
        if let same = try self.revision(of: key, in: scene) { return (nil, same) }
        return try write(value, of: key, in: scene, over: nil, at: now)
    }

    /// Writes a value and records its change.
    ///
    /// - Parameter number: The row of the existing value; `nil` without one.
    func write(
        _ value: [UInt8], of key: SceneKey, in scene: String, over number: Int64?, at time: Timestamp
    ) throws(StoreError) -> (operation: ChangeOperation?, revision: UInt64?) {
        let revision = nextRevision
        try writeRow(value, of: key, in: scene, over: number, revision, at: time)
        let operation: ChangeOperation = number == nil ? .created : .updated
        record(.sceneValue, operation, id: key.text, parent: scene)
        return (operation, revision)
    }

    /// Writes the row of a value whose change is already recorded.
    func writeRow(
        _ value: [UInt8], of key: SceneKey, in scene: String, over number: Int64?, _ revision: UInt64,
        at time: Timestamp
    ) throws(StoreError) {
        guard let number else { return try connection.run(Self.insertValue, scene, key, revision, time, value) }
        let writtenBefore = connection.totalChanges
        try connection.run(Self.updateValue, number, revision, time, value)
        guard connection.totalChanges != writtenBefore else { throw .fault("the row of a scene value is missing") }
        removedContent = true
    }

    func delete(_ key: SceneKey, from scene: String) throws(StoreError) -> ChangeOperation {
        try connection.run(Self.deleteValue, scene, key)
        removedContent = true
        record(.sceneValue, .deleted, id: key.text, parent: scene)
        return .deleted
    }

    private static let selectRevision = StatementText(
        "SELECT revision FROM scene_values WHERE scene = ?1 AND key = ?2")
    private static let replaceValue = StatementText(
        """
        UPDATE OR FAIL scene_values SET revision = ?3, updated_at = ?4, value = ?5
        WHERE scene = ?1 AND key = ?2 AND value IS NOT ?5
        """)
    private static let insertValue = StatementText(
        "INSERT INTO scene_values (scene, key, revision, updated_at, value) VALUES (?1, ?2, ?3, ?4, ?5)")
    private static let updateValue = StatementText(
        "UPDATE OR FAIL scene_values SET revision = ?2, updated_at = ?3, value = ?4 WHERE number = ?1")
    private static let deleteValue = StatementText("DELETE FROM scene_values WHERE scene = ?1 AND key = ?2")
}
