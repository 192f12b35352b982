import ReplicaModel
import SQLCipher
import StoreBasics

/// Makes the vault's tree what merged records say: of each path the last change counts. What the tree cannot have as it
/// was told, such as a directory that is gone and holds something, is told anew as it stays.
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
        // What was wanted of an earlier change is wanted no more: what is at the path is what was there before that.
        let wanted = try WantedFileRows.find(name, connection)
        let present = wanted?.present ?? mark
        // Without a value it took the place of whatever is there.
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
                // For when it comes, of what is at the path until then.
                let waiting = ReplicaFileValue(basis: displaced == nil ? present.stamp : .zero, value.content)
                try WantedFileRows.write(name, digest, waiting.bytes, present: present, connection)
            }
            try replica.contents.noteNamed(digest, merge)
        }
    }

    /// A content has come that files were merged with: as many of them as fit a step are put at their paths.
    ///
    /// - Returns: whether none is left.
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
            // What was put there in this step is told first.
            guard try !UntoldPathRows.covers(path, connection) else { return false }
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
                // It has gone with the file before, and is asked for again.
                guard isPlaced else { return true }
            }
            try WantedFileRows.delete(wanted.name, connection)
        }
        return files.count < EngineLimits.stepRowsMax
    }

    /// As if it had not been told: its path is barred.
    private func passOver(_ wanted: WantedFileRows.Row, _ states: inout ReplicaStates) throws(StoreError) {
        var state = try states.state(of: wanted.name, connection)
        state.restore(wanted.present, of: .value)
        // What it was is not remembered: whoever is told this counts as not knowing.
        state.basis = .zero
        states.set(state, of: wanted.name)
        try WantedFileRows.delete(wanted.name, connection)
    }

    /// A file that takes no part is where a directory would have to be: it stays, and what lies below is passed over.
    private func isBarred(_ path: FilePath, _ selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard !selection.containsAll(.files) else { return false }
        for ancestor in path.ancestors {
            guard let row = try FileRow.find(ancestor, connection) else { return false }
            guard row.isDirectory else { return !selection.contains(.files, ancestor.text) }
        }
        return false
    }

    /// What is at a path was changed here, or was there before this store had a group. Who has taken that from another
    /// has no more than its stamp.
    private func isOwn(
        _ present: ThingState.Mark, at path: FilePath, _ ownDevice: UInt64
    ) throws(StoreError) -> Bool {
        let device = present.stamp.device
        if device == ownDevice { return true }
        guard device == 0 else { return try FormerGroupRow.isOwn(device, connection) }
        guard present != .none, let row = try FileRow.find(path, connection) else { return false }
        return present.digest == ValueDigest(of: ReplicaFileValue.unread(row))
    }

    /// There is a file that was put there in this step, and that the group does not know yet: nobody can have meant it.
    private func isNewFile(at path: FilePath, besides mark: ThingState.Mark) throws(StoreError) -> Bool {
        guard try UntoldPathRows.covers(path, connection), let row = try FileRow.find(path, connection),
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

    /// One that holds something stays, and is told as being there.
    ///
    /// - Returns: whether it is gone.
    @discardableResult
    private func dropDirectory(_ row: FileRow, at path: FilePath) throws(StoreError) -> Bool {
        guard try connection.first(FileRow.childAfter, row.number, "") == nil else {
            try UntoldPathRows.insert(path, connection)
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

    /// The directory that something is put into, with those it lies in: what is made for that is told.
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
                // A file makes room for what lies below its path.
                try makeRoom(row, at: ancestor, keeping: known(ancestor.thingName, &states).stamp)
            }
            let number = Int64(nextRevision)
            try insertDirectory(ancestor, in: directory)
            directory = number
            if !ancestor.isRoot {
                try UntoldPathRows.insert(ancestor, connection)
            }
        }
        return directory
    }

    /// A file goes; where it is not to be lost, it stays beside its path.
    ///
    /// - Parameter stamp: of its last change; `nil`: whoever takes its place knew it.
    private func makeRoom(
        _ row: FileRow, at path: FilePath, keeping stamp: ReplicaStamp?
    ) throws(StoreError) {
        guard case .file(let content, _) = row.kind else { return }
        if let stamp {
            try keepCopy(of: row, at: path, stamp)
        }
        try areas.files.remove(row, with: content, at: path)
    }

    /// Makes a copy of a file beside its path, which is told.
    private func keepCopy(
        of row: FileRow, at path: FilePath, _ stamp: ReplicaStamp
    ) throws(StoreError) {
        // The group does not know it.
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
        try UntoldPathRows.insert(place, connection)
    }

    /// - Returns: `nil` where another device has put just this there already.
    private func freePlace(
        beside path: FilePath, _ stamp: ReplicaStamp, for content: ReplicaFileValue.Content?
    ) throws(StoreError) -> FilePath? {
        for place in path.besides(stamp) {
            guard let row = try FileRow.find(place, connection) else { return place }
            // Of two that cannot be read nobody knows whether they are the same.
            guard let content, try replicaContent(of: row) == content else { continue }
            return nil
        }
        return path.beside(stamp, UInt64.random(in: .min ... .max))
    }

    // MARK: Files

    /// Puts a file at its path.
    ///
    /// - Parameters:
    ///   - stamp: of the change that has made it so.
    ///   - displaced: of what is there, where that was changed here and is not to be lost.
    /// - Returns: false where its content is not here.
    private func place(
        _ content: ReplicaFileValue.Content, at path: FilePath, _ stamp: ReplicaStamp,
        keeping displaced: ReplicaStamp?, _ states: inout ReplicaStates
    ) throws(StoreError) -> Bool {
        guard let times = content.times else { return true }
        let present = try FileRow.find(path, connection)
        if let present, !present.isDirectory, try holds(present, content) {
            guard case .file(let number, let byteCount) = present.kind else { return true }
            try tellAnew(path, unless: content, has: byteCount)
            try replace(present, by: number, byteCount: byteCount, times, at: path)
            return true
        }
        guard let (number, byteCount) = try insertContent(content) else { return false }
        try tellAnew(path, unless: content, has: byteCount)
        if let present, !present.isDirectory {
            guard case .file(let old, _) = present.kind else { return true }
            if let displaced {
                // The copy takes the number that the content was made under.
                try keepCopy(of: present, at: path, displaced)
            }
            try replace(present, by: number, byteCount: byteCount, times, at: path)
            try areas.contents.release(old)
            return true
        }
        var place = path
        if let present, try !dropDirectory(present, at: path) {
            // A directory that holds something keeps the path.
            guard let other = try freePlace(beside: path, stamp, for: content) else {
                try areas.contents.release(number)
                return true
            }
            place = other
            try UntoldPathRows.insert(place, connection)
        }
        let parent = try mergedParent(of: place, &states)
        try areas.files.insertRow(
            Int64(nextRevision), place.lastName, in: parent, content: number, .file(byteCount),
            created: times.createdAt, modified: times.modifiedAt)
        record(.file, .created, id: place.text)
        return true
    }

    /// A content is what its digest says: where its length was told wrongly, the file is told as it is, or nobody who
    /// joins would get it.
    private func tellAnew(
        _ path: FilePath, unless content: ReplicaFileValue.Content, has byteCount: UInt64
    ) throws(StoreError) {
        guard case .listed(_, _, let told) = content, told != byteCount else { return }
        try UntoldPathRows.insert(path, connection)
    }

    private func replace(
        _ row: FileRow, by content: Int64, byteCount: UInt64, _ times: ReplicaFileValue.FileTimes, at path: FilePath
    ) throws(StoreError) {
        try areas.files.replace(row, by: content, byteCount: byteCount, modified: times.modifiedAt)
        try connection.run(Self.setTimes, row.number, times.createdAt)
        record(.file, .updated, id: path.text)
    }

    /// Whether a file is just that, but for its times.
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

    /// The rows of a file's content, with a reference of its own.
    ///
    /// - Returns: `nil` where it is not here.
    private func insertContent(
        _ content: ReplicaFileValue.Content
    ) throws(StoreError) -> (number: Int64, byteCount: UInt64)? {
        switch content {
        case .directory, .removed: return nil
        case .listed(_, let digest, _): return try replica.contents.shareContent(digest)
        case .bytes(_, let bytes):
            // Above all revisions: the change that it belongs to may not be the next.
            let number = try AttachmentContents.nextNumber(connection)
            try FileContents.insert(bytes, number: number, connection)
            return (number, UInt64(bytes.count))
        }
    }

    private static let setTimes = StatementText("UPDATE OR FAIL files SET created_at = ?2 WHERE number = ?1")
}

extension ReplicaFileValue {
    /// Whoever wrote this may not have known of what is at the path. A later basis alone says nothing: it may be of a
    /// change that did not know of it, and has not come yet. Where the content of a change before this one is still to
    /// come, who knew that knew what it knew.
    ///
    /// - Parameter stamp: of the change whose content is awaited.
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
