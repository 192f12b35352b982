import SQLCipher
import StoreBasics

extension FileTreeWrites {
    /// Renames or moves a file, or a directory with what it holds. A file in the place is replaced; onto itself nothing
    /// happens. Watchers are told of the old place and of the new one.
    ///
    /// - Throws: `.fileNotFound` for the origin, first; `.invalidArgument` for a root and for a place below the origin;
    ///   `.parentDirectoryNotFound`; `.alreadyExists` where a directory has the place; `.invalidArgument` where no
    ///   path could name all that a directory holds.
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

    /// Copies a file, or a directory with what it holds, which takes several commits when that is much. Copies share
    /// the content of what they were made from. A copy that was cut off is gone on with by its repetition.
    ///
    /// - Throws: as `moveFile`.
    func copyFile(
        _ origin: FilePath, to place: FilePath, after progress: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<Commit> {
        if let copy = progress as? FileCopy {
            return try goOn(with: copy)
        }
        guard let row = try FileRow.find(origin, connection) else { throw .fileNotFound }
        guard origin != place else { return .done(.unchanged(place)) }
        if let begun = try FileRow.find(place, connection), begun.isDirectory, begun.copiedFrom == row.number {
            return try goOn(with: FileCopy(of: row.number, begun.number, at: place, Commit()))
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
        return try goOn(with: FileCopy(of: row.number, number, at: place, commit))
    }

    /// Where something is to be put.
    private struct Target {
        let parent: ParentDirectory
        /// A file that goes.
        let replaced: FileRow?
    }

    /// Looks, and writes nothing.
    private func target(_ place: FilePath, for origin: FilePath) throws(StoreError) -> Target {
        guard !origin.isRoot else {
            throw .invalidArgument(
                "the path is a whole area, which cannot be moved or copied; name a file or directory in the area")
        }
        guard !place.isBelow(origin) else {
            throw .invalidArgument("the destination is inside the source; choose another destination")
        }
        guard !place.isRoot else { throw Self.taken }
        let parent = try parentDirectory(of: place, createsParents: false)
        let present = try present(place, in: parent)
        guard !(present?.isDirectory ?? false) else { throw Self.taken }
        return Target(parent: parent, replaced: present)
    }

    /// Looks whether paths can name all that is to be put there.
    ///
    /// - Returns: what is left of it.
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

    /// One file or directory, without what it holds.
    ///
    /// - Returns: the number of the copy.
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

    /// Copies as much as a commit may, level by level.
    private func goOn(with copied: FileCopy) throws(StoreError) -> WorkStep<Commit> {
        var copied = copied
        var rowCount = 0
        // Whoever has removed the copy meanwhile did not ask for more of it.
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

    /// Nothing is put where the copy is not any more: that may be another area, with a bound of its own, or too deep
    /// for paths. Others have had their turns since the step before.
    ///
    /// - Throws: `.fileChanged` where the copy, or a directory in it, is at another path by now.
    private func leaveOutWhatIsGone(from copied: inout FileCopy) throws(StoreError) {
        guard try FileRow.find(copied.path, connection)?.number == copied.number else { throw Self.copyMoved }
        for index in copied.levels.indices.dropFirst() {
            let (outer, inner) = (copied.levels[index - 1], copied.levels[index])
            guard try find(inner.path.lastName, in: outer.copy)?.number != inner.copy else { continue }
            guard try connection.first(Self.directoryRow, inner.copy) == nil else { throw Self.copyMoved }
            // Whoever removed it did not ask for more of it.
            copied.levels.removeSubrange(index...)
            return
        }
    }

    private static let copyMoved = StoreError(
        .fileChanged,
        "the source or the copy was moved or removed during copying; remove the partial copy, and copy again")

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

/// How far the copy of a directory has come: the directories that it is within, each with the last name it has come to.
struct FileCopy: WorkProgress {
    struct Level {
        let origin: Int64
        let copy: Int64
        let path: FilePath
        var after = ""
    }

    var commit: Commit
    /// At most as many as a path may have names, and one.
    var levels: [Level]
    /// Of the copy.
    let number: Int64
    let path: FilePath

    init(of origin: Int64, _ number: Int64, at path: FilePath, _ commit: Commit) {
        self.commit = commit
        self.number = number
        self.path = path
        levels = [Level(origin: origin, copy: number, path: path)]
    }
}
