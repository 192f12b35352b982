import SQLCipher
import StoreBasics

/// Restores values of scenes, logs and their entries.
extension ArchiveRestoring {
    func restore(_ value: ArchivedSceneValue, _ mode: RestoreMode) throws(StoreError) -> RestoreOutcome {
        let scene = value.scene?.text ?? SceneTiers.globalScene
        var outcome = RestoreOutcome.added
        var number: Int64?
        if let row = try connection.first(Self.selectPresentValue, scene, value.key) {
            number = row.integer(2)
            let isSame = row.borrowedBytes(0).hasSameBytes(as: value.value)
            outcome = mode.outcome(
                value.updatedAt, than: row.timestamp(1),
                isSame: isSame && mode.hasSameTime(value.updatedAt, as: row.timestamp(1)))
        }
        guard outcome.writes, !mode.isDryRun else { return outcome }
        _ = try areas.scenes.write(value.value, of: value.key, in: scene, over: number, at: value.updatedAt)
        return outcome
    }

    /// Restores a log. If the store has a log of this name with another creation time or configuration, it is a
    /// different log, and stays. The same log becomes replicated if the archived log is replicated, and never stops
    /// being replicated.
    func restore(_ log: ArchivedLog, _ mode: RestoreMode) throws(StoreError) -> RestoreOutcome {
        if let present = try areas.logs.findLog(log.name) {
            guard log.isSame(as: present) else { return .kept }
            guard log.isReplicated, !present.isReplicated else { return .equal }
            if !mode.isDryRun {
                try areas.logs.deleteDisplacedEntries()
                try areas.logs.replicate(present.number, log.name)
            }
            return .updated
        }
        guard !mode.isDryRun else { return .added }
        try areas.logs.makeLog(log.name, log.configuration, isReplicated: log.isReplicated, createdAt: log.createdAt)
        return .added
    }

    /// Restores an entry of a log. Normally the entry is appended only if it directly follows the log's last entry.
    ///
    /// In two cases the log begins anew with the archived entry, at the entry's position: if the log has never had
    /// entries, or if an archive of changes shows that all entries before the archived one were overwritten. In the
    /// second case, the existing entries are dropped. A gap for any other reason means that an earlier archive was not
    /// restored. Then the existing entries stay, and the archived entry is not restored.
    func restore(
        _ entry: ArchivedLogEntry, of log: ArchivedLog, _ run: LogRun, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        guard var present = try areas.logs.findLog(log.name) else {
            return mode.isDryRun && run.isFirst ? .added : .kept
        }
        guard log.isSame(as: present) else { return .kept }
        let sequence = Int64(entry.sequence)
        guard sequence > present.newestSequence else {
            let row = try connection.first(Self.selectPresentEntry, present.number, sequence)
            guard sequence >= present.oldestSequence, let row else { return .kept }
            let isSame = row.borrowedBytes(0).hasSameBytes(as: entry.data) && row.metadata(1) == entry.metadata
            return isSame ? .equal : .kept
        }
        let startsOver =
            mode.isOfChanges && run.isFirst && present.newestSequence > 0 && log.configuration.overwritesOldest
            && Int64(run.sequences.lowerBound) > present.newestSequence + 1
            && log.oldestSequence == run.sequences.lowerBound
        let isFirst = present.newestSequence == 0 || startsOver
        guard !mode.isDryRun else {
            let goesOn = isFirst ? run.isFirst : run.sequences.lowerBound <= UInt64(present.newestSequence) + 1
            return goesOn ? .added : .kept
        }
        guard isFirst || sequence == present.newestSequence + 1 else { return .kept }
        if startsOver {
            try areas.logs.dropLog(present.number, log.name)
            _ = try restore(log, mode)
            present = try areas.logs.findLog(log.name) ?? present
        }
        if isFirst {
            present.begin(at: sequence, offset: entry.offset, position: Int64(entry.position))
        }
        do throws(StoreError) {
            _ = try areas.logs.append(
                LogAppend(log: log.name, expected: nil, messages: [entry.data], metadata: [entry.metadata]))
        } catch {
            guard error.reason == .logFull || error.reason == .logMessageTooLarge else { throw error }
            if isFirst {
                areas.logs.openLogs.remove(log.name)
            }
            return .kept
        }
        if isFirst {
            try connection.run(AppendLogWrites.moveFirst, present.number, sequence)
        }
        return .added
    }

    private static let selectPresentValue = StatementText(
        "SELECT value, updated_at, number FROM scene_values WHERE scene = ?1 AND key = ?2")
    private static let selectPresentEntry = StatementText(
        "SELECT data, metadata FROM log_entries WHERE log = ?1 AND sequence = ?2")
}

extension ArchivedLog {
    fileprivate func isSame(as present: OpenLog) -> Bool {
        createdAt == present.createdAt && configuration == present.configuration
    }
}
