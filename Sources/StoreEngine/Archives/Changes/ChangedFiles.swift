import SQLCipher
import StoreBasics

/// The changed files and directories that still exist, and the directories above them. They are sorted by the
/// directories that contain them, so that they can be visited from the roots down.
struct ChangedFiles {
    struct Place: Comparable {
        /// The number of the directory that contains the file or directory.
        var directory: Int64
        var number: Int64

        static func < (place: Place, other: Place) -> Bool {
            place.directory == other.directory ? place.number < other.number : place.directory < other.directory
        }
    }

    struct Change {
        /// The time of the last change of the file or directory; `nil` if only something in the directory changed.
        var changedAt: Timestamp?
        /// When a directory was created, copied or moved to its place. Everything in it is then included.
        var placedAt: Timestamp?
    }

    private var changes = SortedTable<Place, Change>()

    var count: Int { changes.count }

    subscript(place: Place) -> Change? { changes[place] }

    /// Returns the number of the next file or directory after `place` in the same directory; `nil` if there is none.
    func first(after place: Place) -> Int64? {
        guard let (next, _) = changes.first(after: place), next.directory == place.directory else { return nil }
        return next.number
    }

    /// Adds the directories above a changed path, and the file or directory at the path if it still exists.
    mutating func recordChange(
        _ entry: ChangeEntry, _ revision: UInt64, at time: Timestamp, _ connection: Connection
    ) throws(StoreError) {
        let names = try FilePath(text: entry.id).namesFromTop
        var found: [FileRow] = []
        for name in names {
            guard found.last?.isDirectory ?? true,
                let row = try FileRow.find(name, in: found.last?.number ?? FileRow.top, connection)
            else { break }
            found.append(row)
        }
        let within = found.prefix(names.count - 1)
        // If a directory of the path does not exist any more, there is nothing to record.
        guard within.count == names.count - 1, within.last?.isDirectory ?? true else { return }
        for row in within {
            update(row) { _ in }
        }
        // A change in a directory also changes the modification time of the directory.
        if let parent = within.last {
            update(parent) { $0.changedAt = time }
        }
        guard found.count == names.count, let row = found.last, entry.operation != .deleted else { return }
        update(row) { change in
            change.changedAt = time
            // If the row of a directory has the revision of the change, the change created, copied or moved the
            // directory. Otherwise only the modification time changed.
            if row.isDirectory, row.revision == revision { change.placedAt = time }
        }
    }

    private mutating func update(_ row: FileRow, _ body: (inout Change) -> Void) {
        changes.update(Place(directory: row.parent, number: row.number), Change(), body)
    }
}
