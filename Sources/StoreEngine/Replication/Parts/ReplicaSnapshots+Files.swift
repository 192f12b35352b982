import ReplicaModel
import SQLCipher
import StoreBasics

/// Publishes the files, folders and removals of the vault for a snapshot, with the stamps under which they were last
/// published. Leaves out what was changed here since then.
extension ReplicaSnapshots {
    /// - Returns: The next position, which is the same as before if a file has to be read further; `nil` at the end.
    func collectFiles(
        after name: [UInt8], _ walking: inout ReplicaWalkStep
    ) throws(StoreError) -> ReplicaWalk? {
        var last = name
        for thing in try ReplicaThingRows.next(.file, after: name, limit: Self.walkRowsMax, connection) {
            if walking.selection.contains(thing.name) {
                guard try collectFile(thing.name, thing.state, &walking) else { return .things(.file, after: last) }
            }
            last = thing.name.bytes
            guard !walking.isFull, !slice.isOver else { break }
        }
        return last == name ? nil : .things(.file, after: last)
    }

    /// - Returns: False if the next step has to continue.
    private func collectFile(
        _ name: ThingName, _ state: ThingState, _ walking: inout ReplicaWalkStep
    ) throws(StoreError) -> Bool {
        guard let mark = state.mark(of: .value), mark.digest != .none else { return true }
        func collect(_ content: ReplicaFileValue.Content) {
            let value = state.completed(ReplicaFileValue(basis: state.basis, content).bytes, .value, of: .file)
            let change = FieldRecord(field: .value, stamp: mark.stamp, value: value)
            walking.add(.thing(ThingRecord(name: name, fields: state.withKeptFields(change, of: .file))))
        }
        if let wanted = try WantedFileRows.find(name, connection) {
            // The content has not arrived; the device that published it has it.
            collect(try ReplicaFileValue(wanted.value).content)
            return true
        }
        guard let row = try FileRow.find(FilePath(name), connection) else { return true }
        var named: AttachmentDigest?
        if case .file(let content, let byteCount) = row.kind,
            case .vault(let stored) = try FileContents.place(of: content, connection)
        {
            switch try replica.contents.replicaDigest(of: stored) {
            case .unfinished: return false
            case .unreadable: return true
            case .whole(let digest):
                named = byteCount > UInt64(EngineLimits.inlineFileBytesMax) ? digest : nil
            }
        }
        let isUnread = mark.digest == ValueDigest(of: ReplicaFileValue.unread(row))
        guard let content = try replica.files.replicaContent(of: row),
            isUnread || mark.digest == ReplicaFileValue.digest(of: content)
        else { return true }
        if let named {
            try nameContent(named, &walking)
        }
        collect(content)
        return true
    }

    /// - Returns: The next position; `nil` at the end.
    func collectRemovedFiles(
        before name: [UInt8], _ walking: inout ReplicaWalkStep
    ) throws(StoreError) -> ReplicaWalk? {
        var last: [UInt8]?
        for name in try ReplicaThingRows.lastFiles(beginningWith: [], before: name, connection) {
            last = name.bytes
            if walking.selection.contains(name),
                let state = try ReplicaThingRows.read(name, connection), let mark = state.mark(of: .value),
                mark.digest == .none
            {
                let value = state.completed(ReplicaFileValue(basis: state.basis, .removed).bytes, .value, of: .file)
                let removal = FieldRecord(field: .value, stamp: mark.stamp, value: value)
                walking.add(.thing(ThingRecord(name: name, fields: state.withKeptFields(removal, of: .file))))
            }
            guard !walking.isFull else { break }
        }
        return last.map { .removedFiles(before: $0) }
    }
}
