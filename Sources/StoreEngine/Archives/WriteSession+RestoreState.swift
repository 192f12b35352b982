import SQLCipher
import StoreBasics

/// Values of scenes, and logs.
extension WriteSession {
    mutating func restore(_ value: ArchivedSceneValue, _ mode: RestoreMode) throws(StoreError) -> RestoreOutcome {
        let scene = value.scene?.text ?? SceneTiers.globalScene
        var outcome = RestoreOutcome.added
        if let row = try connection.first(Self.selectPresentValue, scene, value.key) {
            let isSame = row.borrowedBytes(0).elementsEqual(value.value)
            outcome = .newer(value.updatedAt, than: row.timestamp(1), isSame: isSame)
        }
        guard outcome.writes, !mode.isDryRun else { return outcome }
        try connection.run(Self.upsertValue, scene, value.key, nextRevision, value.updatedAt, value.value)
        removedContent = removedContent || outcome == .updated
        record(.sceneValue, outcome == .added ? .created : .updated, id: value.key.text, parent: scene)
        return outcome
    }

    /// A log of this name that was made at another time is another log, which stays.
    mutating func restore(_ log: ArchivedLog, _ mode: RestoreMode) throws(StoreError) -> RestoreOutcome {
        if let present = try findLog(log.name) {
            return log.isSame(as: present) ? .equal : .kept
        }
        guard !mode.isDryRun else { return .added }
        try connection.run(
            Self.insertLog, Int64(nextRevision), log.name, log.configuration.maximumBytes,
            log.configuration.overwritesOldest, log.createdAt)
        record(.log, .created, id: log.name.text)
        return .added
    }

    /// A log goes on: what comes next in it is appended, and nothing else. The first entry of one that never had any
    /// keeps its place.
    mutating func restore(
        _ entry: ArchivedLogEntry, of log: ArchivedLog, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        guard let present = try findLog(log.name) else { return mode.isDryRun ? .added : .kept }
        guard log.isSame(as: present) else { return .kept }
        let sequence = Int64(entry.sequence)
        guard sequence > present.newestSequence else {
            let row = try connection.first(Self.selectPresentEntry, present.number, sequence)
            guard sequence >= present.oldestSequence, let row else { return .kept }
            return row.borrowedBytes(0).elementsEqual(entry.data) ? .equal : .kept
        }
        let isFirst = present.newestSequence == 0
        guard !mode.isDryRun else { return .added }
        guard isFirst || sequence == present.newestSequence + 1 else { return .kept }
        if isFirst {
            present.begin(at: sequence, offset: entry.offset, position: Int64(entry.position))
        }
        do throws(StoreError) {
            _ = try append(LogAppend(log: log.name, expected: nil, messages: [entry.data]))
        } catch {
            guard error.reason == .logFull || error.reason == .logMessageTooLarge else { throw error }
            if isFirst {
                openLogs.remove(log.name)
            }
            return .kept
        }
        if isFirst {
            try connection.run(Self.moveFirst, present.number, sequence)
        }
        return .added
    }

    private static let selectPresentValue = StatementText(
        "SELECT value, updated_at FROM scene_values WHERE scene = ?1 AND key = ?2")
    private static let selectPresentEntry = StatementText(
        "SELECT data FROM log_entries WHERE log = ?1 AND sequence = ?2")
}

extension ArchivedLog {
    fileprivate func isSame(as present: OpenLog) -> Bool {
        createdAt == present.createdAt && configuration == present.configuration
    }
}
