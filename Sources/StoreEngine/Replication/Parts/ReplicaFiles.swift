import ReplicaModel
import SQLCipher
import StoreBasics

/// The part of replication that publishes and merges files and directories.
struct ReplicaFiles: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Publishes the present state of files and directories that were changed here.
extension ReplicaFiles {
    /// Collects a change of the vault's tree.
    ///
    /// - Returns: False if the next step has to continue.
    func collectFile(
        _ entry: ChangeEntry, _ revision: UInt64, _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        let path = try FilePath(text: entry.id)
        guard path.area.isReplicated, collector.selection.containsAny(of: .files) else { return true }
        // Queue a deletion without asking the selection about the path itself, because a deleted directory outside the
        // selection may have contained paths that are selected.
        guard entry.operation != .deleted else {
            try UnsentPathRows.insert(path, changedAt: collector.changedAt, connection)
            return true
        }
        guard !path.isRoot, let row = try FileRow.find(path, connection) else { return true }
        // If the row was changed after this entry, a later entry of the change log covers the path.
        guard row.revision <= revision else { return true }
        if row.isDirectory, row.revision == revision, try connection.first(FileRow.childAfter, row.number, "") != nil {
            // For a directory that was moved, or filled in the meantime, everything in it is published.
            try UnsentPathRows.insert(path, changedAt: collector.changedAt, connection)
            return true
        }
        guard collector.selection.contains(.files, path.text) else { return true }
        guard try prepare(row, at: path.thingName, order, &collector) else { return false }
        try capture(path, row, &collector)
        return true
    }

    /// Publishes the trees of the queued paths, as much as fits in the batch and the step.
    ///
    /// - Returns: True if no paths are left to publish.
    func publishPaths(
        _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        var lookedAtCount = 0
        while let row = try UnsentPathRows.first(connection) {
            guard isRoom(collector, lookedAtCount), try publishTree(row, order, &collector, &lookedAtCount) else {
                return false
            }
            try UnsentPathRows.delete(row.name, connection)
        }
        return true
    }

    /// Publishes the tree of a path: first the removed paths, from the innermost on, because the receivers delete no
    /// directory that is not empty; then the existing paths, from the outermost on.
    private func publishTree(
        _ row: UnsentPathRows.Row, _ order: ReplicaOrder, _ collector: inout ReplicaCollector,
        _ lookedAtCount: inout Int
    ) throws(StoreError) -> Bool {
        var place = row.place
        collector.changedAt = row.changedAt
        func keepPlace() throws(StoreError) -> Bool {
            try UnsentPathRows.setPlace(place, of: row.name, connection)
            return false
        }
        try collector.states.write(connection)
        let isWalking = place.first == Self.walkMark
        var end = isWalking || place.isEmpty ? ThingName.end(ofNamesBeginningWith: row.name) : Array(place.dropFirst())
        while !isWalking {
            let names = try ReplicaThingRows.lastFiles(beginningWith: row.name, before: end, connection)
            for name in names {
                guard isRoom(collector, lookedAtCount) else { return try keepPlace() }
                lookedAtCount += 1
                let path = try FilePath(name)
                if try FileRow.find(path, connection) == nil {
                    try capture(path, nil, &collector)
                }
                place = [Self.removalMark] + name.bytes
                end = name.bytes
            }
            guard names.count == EngineLimits.stepRowsMax else { break }
        }
        let root = try FilePath(replicaParts: Self.parts(row.name))
        var last = isWalking ? try FilePath(replicaParts: Self.parts(Array(place.dropFirst()))) : nil
        while let path = try last.map({ (last) throws(StoreError) in try next(after: last, within: root) }) ?? root {
            guard isRoom(collector, lookedAtCount) else { return try keepPlace() }
            lookedAtCount += 1
            last = path
            if path.canBeNamed, !path.isRoot, collector.selection.contains(.files, path.text),
                let row = try FileRow.find(path, connection)
            {
                guard try prepare(row, at: path.thingName, order, &collector) else { return try keepPlace() }
                try capture(path, row, &collector)
            }
            place = [Self.walkMark] + path.thingNameBytes
        }
        return true
    }

    /// Returns whether the step may continue. A step examines a limited number of paths, also if none of them is
    /// published.
    private func isRoom(_ collector: ReplicaCollector, _ lookedAtCount: Int) -> Bool {
        guard lookedAtCount > 0 else { return true }
        return collector.payload.count < ReplicaCollecting.replicaBatchBytes && lookedAtCount < EngineLimits.stepRowsMax
            && !slice.isOver
    }

    private static func parts(_ name: [UInt8]) -> [String] {
        name.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            var parts: [String] = []
            while let part = reader.text() {
                parts.append(part)
            }
            return parts
        }
    }

    private static var removalMark: UInt8 { 1 }
    private static var walkMark: UInt8 { 2 }

    /// Returns the path that follows a path in its tree, in which a directory comes before its content; `nil` after the
    /// last. Paths that are too long for a name are skipped.
    private func next(after last: FilePath, within root: FilePath) throws(StoreError) -> FilePath? {
        if last.canBeNamed, let row = try FileRow.find(last, connection), row.isDirectory,
            let child = try child(of: row, after: "")
        {
            return last.appending(child)
        }
        var place = last
        while place.names.count > root.names.count, let parent = place.parent {
            if let row = try FileRow.find(parent, connection), row.isDirectory,
                let sibling = try child(of: row, after: place.lastName.text)
            {
                return parent.appending(sibling)
            }
            place = parent
        }
        return nil
    }

    private func child(of row: FileRow, after name: String) throws(StoreError) -> FileName? {
        guard let child = try connection.first(FileRow.childAfter, row.number, name) else { return nil }
        return try FileRow(child).name
    }

    /// Remembers the next files of replicated areas when the store joins a group, in the order of their row numbers.
    ///
    /// - Returns: The last row that was examined; `nil` if there was none.
    func rememberFiles(after number: Int64) throws(StoreError) -> Int64? {
        var numbers: [Int64] = []
        let rows = try connection.rows(Self.nextRows, number, EngineLimits.stepRowsMax)
        while try rows.next() {
            numbers.append(rows.integer(0))
        }
        for number in numbers {
            guard let path = try path(ofRow: number), !path.isRoot, path.area.isReplicated, path.canBeNamed else {
                continue
            }
            try replica.group.remember(path.thingName)
        }
        return numbers.last
    }

    /// Returns the path of a row; `nil` if its directory was removed or its path is too long for a name.
    private func path(ofRow number: Int64) throws(StoreError) -> FilePath? {
        var names: [String] = []
        var place = number
        while place != FileRow.top {
            guard names.count <= EngineLimits.fileDepthMax, let row = try connection.first(Self.nameOfRow, place)
            else { return nil }
            names.append(try row.text(1))
            place = row.integer(0)
        }
        do throws(StoreError) {
            return try FilePath(text: names.reversed().joined(separator: "/"))
        } catch {
            guard error.reason == .invalidArgument else { throw error }
            return nil
        }
    }

    private static let nextRows = StatementText("SELECT number FROM files WHERE number > ?1 ORDER BY number LIMIT ?2")
    private static let nameOfRow = StatementText("SELECT parent, name FROM files WHERE number = ?1")

    // MARK: One path

    /// Returns the mark of what is at a path, as the group knows it. A merged file whose content has not arrived does
    /// not count.
    func known(
        _ name: ThingName, _ states: inout ReplicaStates
    ) throws(StoreError) -> ThingState.Mark {
        if let wanted = try WantedFileRows.find(name, connection) { return wanted.present }
        return try states.state(of: name, connection).mark(of: .value) ?? .none
    }

    /// Computes the digest of a file and publishes its content, if the group does not know the file as it is.
    ///
    /// - Returns: False if the next step has to continue.
    private func prepare(
        _ row: FileRow, at name: ThingName, _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        guard case .file(let content, let byteCount) = row.kind,
            case .vault(let stored) = try FileContents.place(of: content, connection)
        else { return true }
        let known = try known(name, &collector.states).digest
        guard known != ValueDigest(of: ReplicaFileValue.unread(row)) else { return true }
        switch try replica.contents.replicaDigest(of: stored) {
        case .unfinished: return false
        case .unreadable: return true
        case .whole(let digest):
            let listed = ReplicaFileValue.Content.listed(row.replicaTimes, digest, byteCount: byteCount)
            guard byteCount > UInt64(EngineLimits.inlineFileBytesMax), known != ReplicaFileValue.digest(of: listed)
            else { return true }
            try replica.contents.announce(digest, &collector)
            return order == .recordsFirst ? true : try replica.contents.publishSmallContents(&collector)
        }
    }

    /// Returns the content of a file; `nil` if it cannot be read.
    func replicaContent(of row: FileRow) throws(StoreError) -> ReplicaFileValue.Content? {
        guard case .file(let content, let byteCount) = row.kind else { return .directory }
        let times = row.replicaTimes
        guard case .vault(let stored) = try FileContents.place(of: content, connection) else {
            return .bytes(times, try FileContents.bytes(of: content, connection))
        }
        guard let digest = try ReplicaDigestRows.find(stored, connection) else { return nil }
        guard byteCount <= UInt64(EngineLimits.inlineFileBytesMax) else {
            return .listed(times, digest, byteCount: byteCount)
        }
        do throws(StoreError) {
            return .bytes(
                times,
                byteCount == 0 ? [] : try replica.vault.read(0..<byteCount, of: stored, connection))
        } catch {
            guard error.reason == .fileDamaged else { throw error }
            return nil
        }
    }

    /// Publishes what is at a path if the group does not know it. The directories above the path come first.
    private func capture(
        _ path: FilePath, _ row: FileRow?, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        try capture(path, row, &collector) { (collector) throws(StoreError) in
            for ancestor in path.ancestors where !ancestor.isRoot {
                try capture(ancestor, FileRow.find(ancestor, connection), &collector) { _ in }
            }
        }
    }

    private func capture(
        _ path: FilePath, _ row: FileRow?, _ collector: inout ReplicaCollector,
        after captureAncestors: (inout ReplicaCollector) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard collector.selection.contains(.files, path.text) else { return }
        let name = path.thingName
        var state = try collector.states.state(of: name, connection)
        let known = try known(name, &collector.states)
        var content = ReplicaFileValue.Content.removed
        if let row {
            guard known.digest != ValueDigest(of: ReplicaFileValue.unread(row)) || row.isDirectory,
                let present = try replicaContent(of: row)
            else { return }
            content = present
        }
        let digest = ReplicaFileValue.digest(of: content)
        guard known.digest != digest else { return }
        if row != nil {
            try captureAncestors(&collector)
        }
        if content == .removed {
            state.forgetUnknown(in: .value)
        }
        let value = state.completed(ReplicaFileValue(basis: known.stamp, content).bytes, .value, of: .file)
        let change = FieldRecord(field: .value, stamp: collector.stamp(after: state.newestTime), value: value)
        state.set(change, digest)
        state.basis = known.stamp
        collector.states.set(state, of: name)
        try WantedFileRows.delete(name, connection)
        collector.add(.thing(ThingRecord(name: name, fields: [change])))
    }
}
