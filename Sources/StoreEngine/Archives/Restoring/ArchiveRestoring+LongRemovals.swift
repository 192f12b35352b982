import SQLCipher
import StoreBasics

/// The progress of a removal that takes several commits.
enum RemovalProgress: Sendable {
    /// The progress of removing reactions to a message.
    case reactions(ReactionWalk)
    case scene(SceneWalk)
    case directory(DirectoryLook)

    struct SceneWalk: Sendable {
        /// The last key that was examined.
        var key = ""
        var hasRemoved = false
        var hasKept = false

        fileprivate var outcome: RestoreOutcome { hasRemoved ? .updated : hasKept ? .kept : .equal }
    }
}

/// Performs removals that may be large. Each commit leaves a consistent store, and an interrupted removal can be
/// repeated.
extension ArchiveRestoring {
    /// Removes the values of a scene that were set at `removedAt` or earlier. Later values stay.
    func removeValues(
        of scene: SceneName, _ removedAt: Timestamp, _ mode: RestoreMode, after progress: RemovalProgress?
    ) throws(StoreError) -> RestoreStep {
        var walk = RemovalProgress.SceneWalk()
        if case .scene(let begun) = progress {
            walk = begun
        }
        var (rowCount, bytes) = (0, 0)
        while let row = try connection.first(Self.valueAfter, scene, walk.key) {
            let key: SceneKey = try row.name(0)
            let isRemoved = row.timestamp(1) <= removedAt
            // A dry run deletes nothing, so it counts no bytes.
            bytes += isRemoved && !mode.isDryRun ? row.int(2) : 0
            guard
                rowCount == 0
                    || (rowCount < EngineLimits.stepRowsMax && bytes <= EngineLimits.stepBytesMax && !slice.isOver)
            else { return .unfinished(.scene(walk)) }
            if isRemoved {
                walk.hasRemoved = true
                if !mode.isDryRun {
                    _ = try areas.scenes.delete(key, from: scene.text)
                }
            } else {
                walk.hasKept = true
            }
            walk.key = key.text
            rowCount += 1
        }
        return .done(walk.outcome, rowCount: max(1, rowCount))
    }

    /// Removes a file or a directory. A directory stays with all of its content if any file in it was written after the
    /// removal.
    func removeFile(
        _ path: FilePath, _ removal: ArchivedRemoval, _ mode: RestoreMode, after progress: RemovalProgress?
    ) throws(StoreError) -> RestoreStep {
        guard let row = try FileRow.find(path, connection) else { return .done(.equal) }
        if case .file(let content, _) = row.kind {
            return .done(
                try remove(changedAt: row.modifiedAt, removal, mode) { () throws(StoreError) in
                    try areas.files.remove(row, with: content, at: path)
                })
        }
        var look = DirectoryLook(row.number, path, removal.removedAt, statistics.revision)
        if case .directory(let begun) = progress, begun.directory == row.number {
            look = begun
        }
        switch try look.step(transaction) {
        case .unfinished: return .unfinished(.directory(look))
        case .changedLater: return .done(.kept)
        case .unchanged: break
        }
        if !mode.isDryRun {
            try areas.files.remove(row)
            try areas.leftovers.leaveBehind(.fileChildren, row.number...row.number)
            removedContent = true
            record(.file, .deleted, id: path.text)
        }
        return .done(.updated)
    }

    private static let valueAfter = StatementText(
        """
        SELECT key, updated_at, length(value) FROM scene_values WHERE scene = ?1 AND key > ?2 ORDER BY key LIMIT 1
        """)
}
