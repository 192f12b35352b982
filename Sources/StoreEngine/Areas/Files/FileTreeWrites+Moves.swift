import SQLCipher
import StoreBasics

extension FileTreeWrites {
    /// Renames or moves a file, or a directory with its content. A file at the destination is replaced. If both paths
    /// are equal, nothing happens. The changes contain the old and the new path.
    ///
    /// - Throws: `.fileNotFound` for the source, first; `.invalidArgument` for a root and for a destination inside the
    ///   source; `.parentDirectoryNotFound`; `.alreadyExists` if the destination is a directory; `.invalidArgument` if
    ///   the content of a directory would get paths that are too long; `.fileQuotaExceeded`.
    func moveFile(
        _ origin: FilePath, to place: FilePath, after progress: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<Commit> {
        guard let row = try FileRow.find(origin, connection) else { throw .fileNotFound }
        guard origin != place else { return .done(.unchanged(place)) }
        let target = try target(place, for: origin)
        if let rest = try measure(row, at: origin, to: place, after: progress) {
            return .unfinished(rest)
        }
        if origin.area != place.area {
            try expectRoom(for: row.usage, replacing: target.replaced?.usage ?? .nothing, at: place)
        }
        var commit = Commit()
        try removeReplaced(target.replaced)
        let directory = try make(target.parent, &commit)
        try touchParent(of: origin)
        record(.file, .deleted, id: origin.text)
        try connection.run(Self.moveRow, row.number, directory, place.lastName, nextRevision)
        try FileUsageRows.add(-row.usage, to: row.parent, connection)
        try FileUsageRows.add(row.usage, to: directory, connection)
        try connection.run(Self.touchDirectory, directory, now)
        record(.file, target.replaced == nil ? .created : .updated, id: place.text)
        commit.updatedCount = 1
        commit.ids = [place.text]
        return .done(commit)
    }

    /// Copies a file, or a directory with its content. Copying a large directory takes several commits. Copies share
    /// the contents of their sources. If a copy was interrupted, the same request continues it.
    ///
    /// - Throws: The same as `moveFile`; `.fileChanged` if another request removes the source or moves the copy before
    ///   the copy is complete.
    func copyFile(
        _ origin: FilePath, to place: FilePath, after progress: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<Commit> {
        if let copy = progress as? FileCopy {
            return try continueCopy(with: copy)
        }
        guard let row = try FileRow.find(origin, connection) else { throw .fileNotFound }
        guard origin != place else { return .done(.unchanged(place)) }
        if let begun = try FileRow.find(place, connection), begun.isDirectory, begun.copiedFrom == row.number {
            return try continueCopy(with: FileCopy(of: row.number, begun.number, at: place, Commit()))
        }
        let target = try target(place, for: origin)
        if let rest = try measure(row, at: origin, to: place, after: progress) {
            return .unfinished(rest)
        }
        if let replaced = target.replaced, case .file(let content, _) = row.kind, replaced.has(content) {
            return .done(.unchanged(place))
        }
        try expectRoom(for: row.usage, replacing: target.replaced?.usage ?? .nothing, at: place)
        try removeReplaced(target.replaced)
        var commit = Commit()
        let directory = try make(target.parent, &commit)
        let number = try copy(row, into: directory, as: place, replaces: target.replaced != nil, &commit)
        guard row.isDirectory else { return .done(commit) }
        try connection.run(Self.beginCopy, number, row.number)
        return try continueCopy(with: FileCopy(of: row.number, number, at: place, commit))
    }

    /// The checked destination of a move or a copy.
    private struct Target {
        let parent: ParentDirectory
        /// The file at the destination, which is replaced; `nil` if nothing has the path.
        let replaced: FileRow?
    }

    /// Checks the destination, and writes nothing.
    private func target(_ place: FilePath, for origin: FilePath) throws(StoreError) -> Target {
        guard !origin.isRoot else {
            throw .invalidArgument(
                "the path is a whole area, which cannot be moved or copied; name a file or directory in the area")
        }
        guard !place.isBelow(origin) else {
            throw .invalidArgument("the destination is inside the source; choose another destination")
        }
        guard !place.isRoot else { throw Self.pathExists }
        let parent = try parentDirectory(of: place, createsParents: false)
        let present = try present(place, in: parent)
        guard !(present?.isDirectory ?? false) else { throw Self.pathExists }
        return Target(parent: parent, replaced: present)
    }

    /// Checks that no path at the destination would be too long.
    ///
    /// - Returns: The rest of the check, if the next step has to continue it.
    private func measure(
        _ row: FileRow, at origin: FilePath, to place: FilePath, after progress: (any WorkProgress)?
    ) throws(StoreError) -> TreeMeasure? {
        var measure = TreeMeasure(of: row, at: origin, to: place)
        if let begun = progress as? TreeMeasure, begun.origin == row.number {
            measure = begun
        }
        guard var measure, try !measure.step(connection, slice) else { return nil }
        return measure
    }

    private func removeReplaced(_ replaced: FileRow?) throws(StoreError) {
        guard let replaced, case .file(let content, _) = replaced.kind else { return }
        try remove(replaced)
        try contents.release(content)
    }

    /// Copies one file or directory, without the directory's content.
    ///
    /// - Returns: The number of the copy.
    private func copy(
        _ row: FileRow, into directory: Int64, as place: FilePath, replaces: Bool = false, _ commit: inout Commit
    ) throws(StoreError) -> Int64 {
        let number: Int64
        switch row.kind {
        case .directory:
            number = try insertDirectory(place.lastName, in: directory)
        case .file(let content, let byteCount):
            try expectRoom(for: row.usage, at: place)
            try FileContents.retain(content, connection)
            number = try insertFile(place.lastName, in: directory, content: content, byteCount: byteCount)
        }
        finish(replaces ? .updated : .created, place, &commit)
        return number
    }

    /// Copies as much as one commit may, level by level.
    private func continueCopy(with copied: FileCopy) throws(StoreError) -> WorkStep<Commit> {
        var copied = copied
        var rowCount = 0
        // The copy was removed in the meantime, so it is not continued.
        guard let state = try connection.first(Self.copyState, copied.number) else { return .done(copied.commit) }
        guard state.bool(0), copied.levels.count <= EngineLimits.fileDepthMax else { throw Self.copyMoved }
        try leaveOutWhatIsGone(from: &copied)
        while let level = copied.levels.last {
            guard rowCount < EngineLimits.stepRowsMax, rowCount == 0 || !slice.isOver else {
                return .unfinished(copied)
            }
            let isOriginThere = try connection.first(Self.directoryRow, level.origin) != nil
            guard isOriginThere, let row = try nextChild(of: level) else {
                copied.levels.removeLast()
                continue
            }
            copied.levels[copied.levels.count - 1].after = row.name.text
            let place = level.path.appending(row.name)
            let present = try find(row.name, in: level.copy)
            let number =
                if let present { present.number } else {
                    try copy(row, into: level.copy, as: place, &copied.commit)
                }
            if row.isDirectory, present?.isDirectory ?? true {
                copied.levels.append(FileCopy.Level(origin: row.number, copy: number, path: place))
            }
            rowCount += 1
        }
        try connection.run(Self.endCopy, copied.number)
        copied.commit.ids = [copied.path.text]
        return .done(copied.commit)
    }

    /// Checks that the copy still has the same path, and removes the levels of directories whose copy was removed.
    /// Between two steps, another request may have moved the copy to another area with its own limit, or so deep that
    /// paths become too long.
    ///
    /// - Throws: `.fileChanged` if the copy, or a directory in it, has another path.
    private func leaveOutWhatIsGone(from copied: inout FileCopy) throws(StoreError) {
        guard try FileRow.find(copied.path, connection)?.number == copied.number else { throw Self.copyMoved }
        for index in copied.levels.indices.dropFirst() {
            let (outer, inner) = (copied.levels[index - 1], copied.levels[index])
            guard try find(inner.path.lastName, in: outer.copy)?.number != inner.copy else { continue }
            guard try connection.first(Self.directoryRow, inner.copy) == nil else { throw Self.copyMoved }
            // The copy of this directory was removed in the meantime, so it is not continued.
            copied.levels.removeSubrange(index...)
            return
        }
    }

    private static let copyMoved = StoreError(
        .fileChanged,
        "the source was removed, or the copy was moved, before the copy was complete; if the source still exists, "
            + "remove the partial copy, and copy again")

    private func nextChild(of level: FileCopy.Level) throws(StoreError) -> FileRow? {
        guard let row = try connection.first(FileRow.childAfter, level.origin, level.after) else { return nil }
        return try FileRow(row)
    }

    private static let moveRow = StatementText(
        "UPDATE OR FAIL files SET parent = ?2, name = ?3, revision = ?4, copied_from = NULL WHERE number = ?1")
    private static let beginCopy = StatementText("UPDATE OR FAIL files SET copied_from = ?2 WHERE number = ?1")
    private static let endCopy = StatementText("UPDATE OR FAIL files SET copied_from = NULL WHERE number = ?1")
    private static let copyState = StatementText(
        """
        SELECT EXISTS (SELECT 1 FROM files AS o WHERE o.number = f.copied_from AND o.content IS NULL)
        FROM files AS f WHERE f.number = ?1 AND f.content IS NULL
        """)
    private static let directoryRow = StatementText("SELECT 1 FROM files WHERE number = ?1 AND content IS NULL")
}

/// The progress of copying a directory: the directories on the current path, each with the name that was copied last.
struct FileCopy: WorkProgress {
    struct Level {
        let origin: Int64
        let copy: Int64
        let path: FilePath
        var after = ""
    }

    var commit: Commit
    /// The levels, at most one more than the names of a path.
    var levels: [Level]
    /// The number of the copy.
    let number: Int64
    let path: FilePath

    init(of origin: Int64, _ number: Int64, at path: FilePath, _ commit: Commit) {
        self.commit = commit
        self.number = number
        self.path = path
        levels = [Level(origin: origin, copy: number, path: path)]
    }
}
