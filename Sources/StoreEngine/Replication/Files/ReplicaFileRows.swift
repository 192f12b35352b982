import ReplicaModel
import SQLCipher
import StoreBasics

/// The rows of `replica_untold_paths`: paths whose whole tree is to be published, each with the point that publishing
/// has reached.
enum UnsentPathRows {
    /// - Parameters:
    ///   - place: The point that publishing has reached; empty at the beginning.
    ///   - changedAt: When the path was changed; 1970 if no application changed it. Rows with later changes are
    ///     published first, so that a path that was changed after its directory keeps its own time.
    typealias Row = (name: [UInt8], place: [UInt8], changedAt: Timestamp)

    static func first(_ connection: Connection) throws(StoreError) -> Row? {
        guard let row = try connection.first(select) else { return nil }
        return (row.bytes(0), row.bytes(1), row.timestamp(2))
    }

    /// Marks a path and everything below it to be published from the beginning. Rows for paths below are deleted.
    ///
    /// - Parameter time: When an application changed the path.
    static func insert(
        _ path: FilePath, changedAt time: Timestamp = Timestamp(microseconds: 0), _ connection: Connection
    ) throws(StoreError) {
        guard try !covers(path, since: time, connection) else { return }
        let name = path.thingNameBytes
        try connection.runOrInsert(updateRestarting, insert, name, [UInt8](), time)
        try connection.run(
            deleteBelow, name, ThingName.end(ofNamesBeginningWith: name), time, EngineLimits.stepRowsMax)
    }

    /// Returns true if the path need not be marked, because the path itself or a directory above it is marked and its
    /// publishing has not begun.
    ///
    /// - Parameter time: The time of the change; rows of earlier changes do not count.
    static func covers(
        _ path: FilePath, since time: Timestamp = Timestamp(microseconds: .min), _ connection: Connection
    ) throws(StoreError) -> Bool {
        guard try first(connection) != nil else { return false }
        for name in (path.ancestors + [path]).map(\.thingNameBytes)
        where try connection.first(selectUnbegun, name, time) != nil {
            return true
        }
        return false
    }

    static func setPlace(_ place: [UInt8], of name: [UInt8], _ connection: Connection) throws(StoreError) {
        try connection.run(update, name, place)
    }

    static func delete(_ name: [UInt8], _ connection: Connection) throws(StoreError) {
        try connection.run(delete, name)
    }

    private static let select = StatementText(
        "SELECT name, place, changed_at FROM replica_untold_paths ORDER BY changed_at DESC, name LIMIT 1")
    private static let selectUnbegun = StatementText(
        "SELECT 1 FROM replica_untold_paths WHERE name = ?1 AND place = x'' AND changed_at >= ?2")
    private static let deleteBelow = StatementText(
        """
        DELETE FROM replica_untold_paths WHERE name IN (
            SELECT name FROM replica_untold_paths WHERE name > ?1 AND name < ?2 AND changed_at <= ?3
            ORDER BY name LIMIT ?4)
        """)
    private static let update = StatementText("UPDATE OR FAIL replica_untold_paths SET place = ?2 WHERE name = ?1")
    private static let updateRestarting = StatementText(
        "UPDATE OR FAIL replica_untold_paths SET place = ?2, changed_at = max(changed_at, ?3) WHERE name = ?1")
    private static let insert = StatementText("INSERT INTO replica_untold_paths VALUES (?1, ?2, ?3)")
    private static let delete = StatementText("DELETE FROM replica_untold_paths WHERE name = ?1")
}

/// The rows of `replica_wanted_files`: merged files whose contents have not arrived yet.
enum WantedFileRows {
    /// A file that waits for its content, with the mark of what is at its path in the meantime.
    typealias Row = (name: ThingName, value: [UInt8], present: ThingState.Mark)

    /// Writes a row.
    ///
    /// - Parameter present: The mark of what is at the path in the meantime.
    static func write(
        _ name: ThingName, _ digest: AttachmentDigest, _ value: [UInt8], present: ThingState.Mark,
        _ connection: Connection
    ) throws(StoreError) {
        var mark: [UInt8] = []
        present.append(to: &mark)
        try connection.runOrInsert(update, insert, name.bytes, digest.bytes, value, mark)
    }

    /// Returns the file that a path waits for; `nil` if the path waits for no content.
    static func find(_ name: ThingName, _ connection: Connection) throws(StoreError) -> Row? {
        guard let row = try connection.first(selectOne, name.bytes) else { return nil }
        return (name, row.bytes(0), try mark(row, 1))
    }

    /// Returns digests of contents for which files wait: those that follow the given digest, as many as a step
    /// examines.
    static func digests(after digest: [UInt8], _ connection: Connection) throws(StoreError) -> [AttachmentDigest] {
        let rows = try connection.rows(selectDigests, digest, EngineLimits.stepRowsMax)
        var digests: [AttachmentDigest] = []
        while try rows.next() {
            digests.append(AttachmentDigest(trusted: rows.bytes(0)))
        }
        return digests
    }

    /// Returns the first files that wait for a content.
    static func next(
        _ digest: AttachmentDigest, limit: Int, _ connection: Connection
    ) throws(StoreError) -> [Row] {
        let rows = try connection.rows(selectNext, digest.bytes, limit)
        var found: [Row] = []
        while try rows.next() {
            guard let name = ThingName(.file, bytes: rows.borrowedBytes(0)) else { throw ReplicaTables.damaged }
            found.append((name, rows.bytes(1), try mark(rows, 2)))
        }
        return found
    }

    static func delete(_ name: ThingName, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, name.bytes)
    }

    private static func mark(_ row: borrowing Rows, _ column: Int) throws(StoreError) -> ThingState.Mark {
        var reader = ByteReader(row.borrowedBytes(column))
        guard let mark = ThingState.Mark(&reader) else { throw ReplicaTables.damaged }
        return mark
    }

    private static let update = StatementText(
        "UPDATE OR FAIL replica_wanted_files SET digest = ?2, value = ?3, present = ?4 WHERE name = ?1")
    private static let insert = StatementText("INSERT INTO replica_wanted_files VALUES (?1, ?2, ?3, ?4)")
    private static let selectOne = StatementText("SELECT value, present FROM replica_wanted_files WHERE name = ?1")
    private static let selectDigests = StatementText(
        "SELECT DISTINCT digest FROM replica_wanted_files WHERE digest > ?1 ORDER BY digest LIMIT ?2")
    private static let selectNext = StatementText(
        "SELECT name, value, present FROM replica_wanted_files WHERE digest = ?1 ORDER BY name LIMIT ?2")
    private static let delete = StatementText("DELETE FROM replica_wanted_files WHERE name = ?1")
}

/// The position of the cyclic scan over files that wait for contents. The scan examines all files in turn, so that
/// contents that no device has do not prevent requests for other contents.
final class WantedFilesPlace: TransactionCache {
    private var last: [UInt8] = []
    private var before: [UInt8] = []

    /// Returns the next digests, as many as a step examines.
    func next(_ connection: Connection) throws(StoreError) -> [AttachmentDigest] {
        let digests = try WantedFileRows.digests(after: last, connection)
        before = last
        last = digests.count < EngineLimits.stepRowsMax ? [] : digests.last?.bytes ?? []
        return digests
    }

    /// Moves the position back, so that the last digests are returned once more.
    func lookAgain() {
        last = before
    }

    /// Does nothing, because the position need not be restored: after the last row the scan continues with the first
    /// row, so it reaches every row from any position.
    func committed() {}
    func rolledBack(_ extent: RollbackExtent) {}

    func closed() {
        last = []
        before = []
    }
}

extension ReplicaThingRows {
    /// Returns the last names before `end` that begin with the given bytes, in descending order. In this order the
    /// content of a directory comes before the directory itself.
    static func lastFiles(
        beginningWith beginning: [UInt8], before end: [UInt8], _ connection: Connection
    ) throws(StoreError) -> [ThingName] {
        let rows = try connection.rows(
            selectLast, Int(ThingKind.file.rawValue), beginning, end, EngineLimits.stepRowsMax)
        var names: [ThingName] = []
        while try rows.next() {
            guard let name = ThingName(.file, bytes: rows.borrowedBytes(0)) else { throw ReplicaTables.damaged }
            names.append(name)
        }
        return names
    }

    private static let selectLast = StatementText(
        "SELECT name FROM replica_things WHERE kind = ?1 AND name >= ?2 AND name < ?3 ORDER BY name DESC LIMIT ?4")
}
