import ReplicaModel
import SQLCipher
import StoreBasics

/// Changes the tree of the vault as merged records say. The last change of each path wins. If the tree cannot follow a
/// record, for example because a removed directory still contains something, the path is published again as it is here.
extension ReplicaFiles {
    func mergeFile(_ record: ThingRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        let (name, path) = (record.name, try FilePath(record.name))
        var state = try merge.states.state(of: name, connection)
        let mark = state.mark(of: .value) ?? .none
        let outcome = try state.merge(record) { field, value in
            field == .value ? ReplicaFileValue.digest(of: value) : ValueDigest(of: value)
        }
        guard let change = outcome.valueChange else {
            if !outcome.changed.isEmpty {
                merge.states.set(state, of: name)
            }
            return
        }
        // A content that an earlier change waited for is not needed any more. The path still has what it had before
        // that change.
        let wanted = try WantedFileRows.find(name, connection)
        let present = wanted?.present ?? mark
        // A record without a value removes whatever is at the path. Therefore its basis is the change that is at the
        // path.
        var value = ReplicaFileValue(basis: present.stamp, .removed)
        if let bytes = change.value {
            value = try ReplicaFileValue(bytes)
        }
        if value.content != .removed, try isBarred(path, merge.group.selection) {
            if let wanted { try passOver(wanted, &merge.states) }
            return
        }
        try WantedFileRows.delete(name, connection)
        state.basis = value.basis
        merge.states.set(state, of: name)
        var displaced: ReplicaStamp?
        if try isNewFile(at: path, besides: present) {
            displaced = ReplicaStamp(time: change.stamp.time, device: merge.ownDevice)
        } else if try isOwn(present, at: path, merge.ownDevice),
            try value.isUnknowing(of: present, awaiting: wanted, mark.stamp)
        {
            displaced = present.stamp
        }
        switch value.content {
        case .removed: try removeMerged(path, keeping: displaced)
        case .directory: try placeDirectory(path, keeping: displaced, &merge.states)
        case .bytes, .listed:
            let isPlaced = try place(value.content, at: path, change.stamp, keeping: displaced, &merge.states)
            guard case .listed(_, let digest, _) = value.content else { return }
            if !isPlaced {
                // The file waits for its content. When the content arrives, the basis decides whether the file at the
                // path is kept as a conflict copy.
                let waiting = ReplicaFileValue(basis: displaced == nil ? present.stamp : .zero, value.content)
                try WantedFileRows.write(name, digest, waiting.bytes, present: present, connection)
            }
            try replica.contents.recordReference(digest, merge)
        }
    }

    /// Puts files whose content has arrived at their paths, as many as fit in a step.
    ///
    /// - Returns: True if no files are left for this call to place.
    @discardableResult
    func placeWantedFiles(
        of digest: AttachmentDigest, _ states: inout ReplicaStates
    ) throws(StoreError) -> Bool {
        let files = try WantedFileRows.next(digest, limit: EngineLimits.stepRowsMax, connection)
        guard !files.isEmpty else { return true }
        guard let group = try ReplicaGroupRow.read(connection) else { return true }
        for (index, wanted) in files.enumerated() {
            guard index == 0 || !slice.isOver else { return false }
            let path = try FilePath(wanted.name)
            // A local change of the path in this step is published first.
            guard try !UnsentPathRows.covers(path, connection) else { return false }
            if try isBarred(path, group.selection) {
                try passOver(wanted, &states)
                continue
            }
            if let mark = try states.state(of: wanted.name, connection).mark(of: .value),
                mark.digest == ReplicaFileValue.digest(of: wanted.value)
            {
                let value = try ReplicaFileValue(wanted.value)
                var displaced: ReplicaStamp?
                if value.basis != wanted.present.stamp, try isOwn(wanted.present, at: path, group.device) {
                    displaced = wanted.present.stamp
                }
                let isPlaced = try place(
                    value.content, at: path, mark.stamp, keeping: displaced, &states)
                // The content was deleted with the previous file, and will be requested again.
                guard isPlaced else { return true }
            }
            try WantedFileRows.delete(wanted.name, connection)
        }
        return files.count < EngineLimits.stepRowsMax
    }

    /// Restores the state from before a record whose path is barred.
    private func passOver(_ wanted: WantedFileRows.Row, _ states: inout ReplicaStates) throws(StoreError) {
        var state = try states.state(of: wanted.name, connection)
        state.restore(wanted.present, of: .value)
        // The basis is not known any more. Without one, the receivers treat the next change as independent.
        state.basis = .zero
        states.set(state, of: wanted.name)
        try WantedFileRows.delete(wanted.name, connection)
    }

    /// Returns true if a file that is not selected for the group is where the path needs a directory. The file stays,
    /// and records of paths below it are ignored.
    private func isBarred(_ path: FilePath, _ selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard !selection.containsAll(.files) else { return false }
        for ancestor in path.ancestors {
            guard let row = try FileRow.find(ancestor, connection) else { return false }
            guard row.isDirectory else { return !selection.contains(.files, ancestor.text) }
        }
        return false
    }

    /// Returns true if this store made the last change at a path, or had the file there before it joined a group.
    /// Only then can this store find out whether the author of a record knew the file: for a change by another device,
    /// this store has only the stamp.
    private func isOwn(
        _ present: ThingState.Mark, at path: FilePath, _ ownDevice: UInt64
    ) throws(StoreError) -> Bool {
        let device = present.stamp.device
        if device == ownDevice { return true }
        guard device == 0 else { return try FormerGroupRow.isOwn(device, connection) }
        guard present != .none, let row = try FileRow.find(path, connection) else { return false }
        return present.digest == ValueDigest(of: ReplicaFileValue.unread(row))
    }

    /// Returns true if the path has a file that the group does not know yet, because the file was put there in this
    /// step. The author of a merged record cannot have known the file.
    private func isNewFile(at path: FilePath, besides mark: ThingState.Mark) throws(StoreError) -> Bool {
        guard try UnsentPathRows.covers(path, connection), let row = try FileRow.find(path, connection),
            !row.isDirectory, let content = try replicaContent(of: row)
        else { return false }
        return mark.digest != ReplicaFileValue.digest(of: content)
            && mark.digest != ValueDigest(of: ReplicaFileValue.unread(row))
    }

    private func removeMerged(
        _ path: FilePath, keeping displaced: ReplicaStamp?
    ) throws(StoreError) {
        guard let row = try FileRow.find(path, connection) else { return }
        if row.isDirectory {
            try dropDirectory(row, at: path)
        } else {
            try makeRoom(row, at: path, keeping: displaced)
        }
    }

    /// Removes a directory if it is empty. Otherwise the directory stays and is published as existing.
    ///
    /// - Returns: True if the directory was removed.
    @discardableResult
    private func dropDirectory(_ row: FileRow, at path: FilePath) throws(StoreError) -> Bool {
        guard try connection.first(FileRow.childAfter, row.number, "") == nil else {
            try UnsentPathRows.insert(path, connection)
            return false
        }
        try areas.files.remove(row)
        record(.file, .deleted, id: path.text)
        return true
    }

    private func placeDirectory(
        _ path: FilePath, keeping displaced: ReplicaStamp?, _ states: inout ReplicaStates
    ) throws(StoreError) {
        if let row = try FileRow.find(path, connection) {
            guard !row.isDirectory else { return }
            try makeRoom(row, at: path, keeping: displaced)
        }
        let parent = try mergedParent(of: path, &states)
        try insertDirectory(path, in: parent)
    }

    private func insertDirectory(_ path: FilePath, in parent: Int64) throws(StoreError) {
        try areas.files.insertRow(
            Int64(nextRevision), path.lastName, in: parent, content: nil, FileUsage(directoryCount: 1), created: now,
            modified: now)
        record(.file, .created, id: path.text)
    }

    /// Returns the parent directory of a path. Missing directories are created, and published.
    private func mergedParent(
        of path: FilePath, _ states: inout ReplicaStates
    ) throws(StoreError) -> Int64 {
        var directory = FileRow.top
        for ancestor in path.ancestors {
            if let row = try areas.files.find(ancestor.lastName, in: directory) {
                if row.isDirectory {
                    directory = row.number
                    continue
                }
                // A file is replaced by a directory, because a path below it exists.
                try makeRoom(row, at: ancestor, keeping: known(ancestor.thingName, &states).stamp)
            }
            let number = Int64(nextRevision)
            try insertDirectory(ancestor, in: directory)
            directory = number
            if !ancestor.isRoot {
                try UnsentPathRows.insert(ancestor, connection)
            }
        }
        return directory
    }

    /// Removes a file so that its path is free. If the file must not be lost, a conflict copy stays.
    ///
    /// - Parameter stamp: The stamp of the file's last change, to keep a conflict copy; `nil` if the author of the
    ///   replacing change knew the file, so that no copy is needed.
    private func makeRoom(
        _ row: FileRow, at path: FilePath, keeping stamp: ReplicaStamp?
    ) throws(StoreError) {
        guard case .file(let content, _) = row.kind else { return }
        if let stamp {
            try keepCopy(of: row, at: path, stamp)
        }
        try areas.files.remove(row, with: content, at: path)
    }

    /// Makes a conflict copy of a file, and publishes it.
    private func keepCopy(
        of row: FileRow, at path: FilePath, _ stamp: ReplicaStamp
    ) throws(StoreError) {
        // A file without a stamp existed before the store joined the group, so the time of its last change is used.
        let stamp = stamp == .zero ? .beforeGroup(at: row.modifiedAt) : stamp
        guard case .file(let content, let byteCount) = row.kind,
            let place = try freePlace(beside: path, stamp, for: replicaContent(of: row)), let parent = place.parent,
            let directory = try FileRow.find(parent, connection)
        else { return }
        try FileContents.retain(content, connection)
        try areas.files.insertRow(
            Int64(nextRevision), place.lastName, in: directory.number, content: content, .file(byteCount),
            created: row.createdAt, modified: row.modifiedAt)
        record(.file, .created, id: place.text)
        try UnsentPathRows.insert(place, connection)
    }

    /// Returns a free path for a conflict copy; `nil` if an equal copy, which another device has made, is already
    /// there.
    private func freePlace(
        beside path: FilePath, _ stamp: ReplicaStamp, for content: ReplicaFileValue.Content?
    ) throws(StoreError) -> FilePath? {
        for place in path.besides(stamp) {
            guard let row = try FileRow.find(place, connection) else { return place }
            // If a file cannot be read, it cannot be compared.
            guard let content, try replicaContent(of: row) == content else { continue }
            return nil
        }
        return path.beside(stamp, UInt64.random(in: .min ... .max))
    }

    // MARK: Files

    /// Puts a file at its path.
    ///
    /// - Parameters:
    ///   - stamp: The stamp of the change that made the file.
    ///   - displaced: The stamp of the existing file if that is kept as a conflict copy.
    /// - Returns: False if the store lacks the content.
    private func place(
        _ content: ReplicaFileValue.Content, at path: FilePath, _ stamp: ReplicaStamp,
        keeping displaced: ReplicaStamp?, _ states: inout ReplicaStates
    ) throws(StoreError) -> Bool {
        guard let times = content.times else { return true }
        let present = try FileRow.find(path, connection)
        if let present, !present.isDirectory, try holds(present, content) {
            guard case .file(let number, let byteCount) = present.kind else { return true }
            try queueRepublication(path, unless: content, has: byteCount)
            try replace(present, by: number, byteCount: byteCount, times, at: path)
            return true
        }
        guard let (number, byteCount) = try insertContent(content) else { return false }
        try queueRepublication(path, unless: content, has: byteCount)
        if let present, !present.isDirectory {
            guard case .file(let old, _) = present.kind else { return true }
            if let displaced {
                // The conflict copy is made before its file is replaced.
                try keepCopy(of: present, at: path, displaced)
            }
            try replace(present, by: number, byteCount: byteCount, times, at: path)
            try areas.contents.release(old)
            return true
        }
        var place = path
        if let present, try !dropDirectory(present, at: path) {
            // A directory that is not empty stays at the path, and the file gets another path.
            guard let other = try freePlace(beside: path, stamp, for: content) else {
                try areas.contents.release(number)
                return true
            }
            place = other
            try UnsentPathRows.insert(place, connection)
        }
        let parent = try mergedParent(of: place, &states)
        try areas.files.insertRow(
            Int64(nextRevision), place.lastName, in: parent, content: number, .file(byteCount),
            created: times.createdAt, modified: times.modifiedAt)
        record(.file, .created, id: place.text)
        return true
    }

    /// Queues a file to be published again if its record has a wrong length. The content is accepted, because the
    /// digest identifies it. But the file now differs from its record, and snapshots leave out such files, so a device
    /// that joins later would not get it.
    private func queueRepublication(
        _ path: FilePath, unless content: ReplicaFileValue.Content, has byteCount: UInt64
    ) throws(StoreError) {
        guard case .listed(_, _, let listed) = content, listed != byteCount else { return }
        try UnsentPathRows.insert(path, connection)
    }

    private func replace(
        _ row: FileRow, by content: Int64, byteCount: UInt64, _ times: ReplicaFileValue.FileTimes, at path: FilePath
    ) throws(StoreError) {
        try areas.files.replace(row, by: content, byteCount: byteCount, modified: times.modifiedAt)
        try connection.run(Self.setTimes, row.number, times.createdAt)
        record(.file, .updated, id: path.text)
    }

    /// Returns whether a file has this content, whatever its times are.
    private func holds(
        _ row: FileRow, _ content: ReplicaFileValue.Content
    ) throws(StoreError) -> Bool {
        guard case .file(let number, let byteCount) = row.kind else { return false }
        switch (content, try FileContents.place(of: number, connection)) {
        case (.bytes(_, let bytes), .database):
            guard byteCount == UInt64(bytes.count) else { return false }
            return try FileContents.bytes(of: number, connection) == bytes
        case (.listed(_, let digest, _), .vault(let stored)):
            return try ReplicaDigestRows.find(stored, connection) == digest
        case (.directory, _), (.removed, _), (.bytes, .vault), (.listed, .database): return false
        }
    }

    /// Inserts the content of a file, or adds a reference to it.
    ///
    /// - Returns: `nil` if the store lacks it.
    private func insertContent(
        _ content: ReplicaFileValue.Content
    ) throws(StoreError) -> (number: Int64, byteCount: UInt64)? {
        switch content {
        case .directory, .removed: return nil
        case .listed(_, let digest, _): return try replica.contents.shareContent(digest)
        case .bytes(_, let bytes):
            // Use a number above all revisions, because the revision of the next change may not be this file's.
            let number = try AttachmentContents.nextNumber(connection)
            try FileContents.insert(bytes, number: number, connection)
            return (number, UInt64(bytes.count))
        }
    }

    private static let setTimes = StatementText("UPDATE OR FAIL files SET created_at = ?2 WHERE number = ?1")
}

extension ReplicaFileValue {
    /// Returns true if the author of this value may not have known what is at the path. The author certainly knew it if
    /// the value is based on exactly the change that is at the path. A basis with a later stamp proves nothing: it may
    /// be the stamp of a change that is not merged here yet, and whose author did not know the file either. If the
    /// value is based on a change whose content has not arrived yet, the basis of that change decides.
    ///
    /// - Parameter stamp: The stamp of the change whose content has not arrived.
    fileprivate func isUnknowing(
        of present: ThingState.Mark, awaiting wanted: WantedFileRows.Row?, _ stamp: ReplicaStamp
    ) throws(StoreError) -> Bool {
        guard Self.digest(of: content) != present.digest else { return false }
        if let wanted, basis == stamp {
            return try ReplicaFileValue(wanted.value).basis != present.stamp
        }
        return basis != present.stamp
    }
}
