import ReplicaModel
import SQLCipher
import StoreBasics

/// The rows of `replica_untold_paths`: paths of which all is to be told that is at them and below, and how far that has
/// come.
enum UntoldPathRows {
    /// - Parameters:
    ///   - place: Empty at the beginning.
    ///   - changedAt: When the path was changed; 1970 for what no application has changed. Later ones come first, so
    ///     that what lies below a path and was changed after it has its own time.
    typealias Row = (name: [UInt8], place: [UInt8], changedAt: Timestamp)

    static func first(_ connection: Connection) throws(StoreError) -> Row? {
        guard let row = try connection.first(select) else { return nil }
        return (row.bytes(0), row.bytes(1), row.timestamp(2))
    }

    /// From the beginning, with what lies below: that is not looked through by itself, too.
    ///
    /// - Parameter time: When an application changed it.
    static func insert(
        _ path: FilePath, changedAt time: Timestamp = Timestamp(microseconds: 0), _ connection: Connection
    ) throws(StoreError) {
        guard try !covers(path, since: time, connection) else { return }
        let name = path.thingNameBytes
        try connection.runOrInsert(updateAnew, insert, name, [UInt8](), time)
        try connection.run(
            deleteBelow, name, ThingName.end(ofNamesBeginningWith: name), time, EngineLimits.stepRowsMax)
    }

    /// Marks it to be published anyway, from the beginning.
    ///
    /// - Parameter time: The time of the change; a later one stays.
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
    private static let updateAnew = StatementText(
        "UPDATE OR FAIL replica_untold_paths SET place = ?2, changed_at = max(changed_at, ?3) WHERE name = ?1")
    private static let insert = StatementText("INSERT INTO replica_untold_paths VALUES (?1, ?2, ?3)")
    private static let delete = StatementText("DELETE FROM replica_untold_paths WHERE name = ?1")
}

/// The rows of `replica_wanted_files`: files that were merged and whose contents are still to come.
enum WantedFileRows {
    /// With the mark of what is at the path meanwhile.
    typealias Row = (name: ThingName, value: [UInt8], present: ThingState.Mark)

    /// - Parameter present: of what is at the path meanwhile.
    static func write(
        _ name: ThingName, _ digest: AttachmentDigest, _ value: [UInt8], present: ThingState.Mark,
        _ connection: Connection
    ) throws(StoreError) {
        var mark: [UInt8] = []
        present.append(to: &mark)
        try connection.runOrInsert(update, insert, name.bytes, digest.bytes, value, mark)
    }

    /// What is wanted for a path; `nil` where nothing is.
    static func find(_ name: ThingName, _ connection: Connection) throws(StoreError) -> Row? {
        guard let row = try connection.first(selectOne, name.bytes) else { return nil }
        return (name, row.bytes(0), try mark(row, 1))
    }

    /// Of what is wanted, behind a digest.
    static func digests(after digest: [UInt8], _ connection: Connection) throws(StoreError) -> [AttachmentDigest] {
        let rows = try connection.rows(selectDigests, digest, EngineLimits.stepRowsMax)
        var digests: [AttachmentDigest] = []
        while try rows.next() {
            digests.append(AttachmentDigest(trusted: rows.bytes(0)))
        }
        return digests
    }

    /// The first with a content.
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

/// How far the look at wanted files has come, which goes round: where nobody has the first of many, the others are
/// asked for all the same.
final class WantedFilesPlace: TransactionCache {
    private var last: [UInt8] = []
    private var before: [UInt8] = []

    /// The next digests, as many as a step looks at.
    func next(_ connection: Connection) throws(StoreError) -> [AttachmentDigest] {
        let digests = try WantedFileRows.digests(after: last, connection)
        before = last
        last = digests.count < EngineLimits.stepRowsMax ? [] : digests.last?.bytes ?? []
        return digests
    }

    /// The same are next once more.
    func lookAgain() {
        last = before
    }

    /// The walk starts over at its end, so every place to continue from is right.
    func committed() {}
    func rolledBack(_ extent: RollbackExtent) {}

    func closed() {
        last = []
        before = []
    }
}

extension ReplicaThingRows {
    /// The last names before one that begin with some bytes, the last first: what lies in a directory before that
    /// itself.
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
