import SQLCipher
import StoreBasics

/// Files and directories that changed, and the directories that they lie in, as far as they are there: by their
/// directories, so that they are gone through from the roots down.
struct ChangedFiles {
    struct Place: Comparable {
        /// Of the directory that it lies in.
        var directory: Int64
        var number: Int64

        static func < (place: Place, other: Place) -> Bool {
            place.directory == other.directory ? place.number < other.number : place.directory < other.directory
        }
    }

    struct Change {
        /// `nil`: something in it did.
        var changedAt: Timestamp?
        /// Of a directory, when it was made, copied or moved to where it is: it stands for all that it holds.
        var placedAt: Timestamp?
    }

    private var changes = SortedTable<Place, Change>()

    var count: Int { changes.count }

    subscript(place: Place) -> Change? { changes[place] }

    /// The next that lies in the directory of a place.
    func first(after place: Place) -> Int64? {
        guard let (next, _) = changes.first(after: place), next.directory == place.directory else { return nil }
        return next.number
    }

    /// - Parameter revision: of the change.
    mutating func note(
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
        // Nothing is there to tell of.
        guard within.count == names.count - 1, within.last?.isDirectory ?? true else { return }
        for row in within {
            update(row) { _ in }
        }
        // Its time tells of what it holds.
        if let parent = within.last {
            update(parent) { $0.changedAt = time }
        }
        guard found.count == names.count, let row = found.last, entry.operation != .deleted else { return }
        update(row) { change in
            change.changedAt = time
            // Another change of a directory is one of its time.
            if row.isDirectory, row.revision == revision { change.placedAt = time }
        }
    }

    private mutating func update(_ row: FileRow, _ body: (inout Change) -> Void) {
        changes.update(Place(directory: row.parent, number: row.number), Change(), body)
    }
}
