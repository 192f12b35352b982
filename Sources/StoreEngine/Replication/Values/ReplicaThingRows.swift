import ReplicaModel
import SQLCipher
import StoreBasics

/// The rows of `replica_things`: the state of each thing, which says from which change each of its fields comes.
enum ReplicaThingRows {
    static func read(_ name: ThingName, _ connection: Connection) throws(StoreError) -> ThingState? {
        guard let row = try connection.first(select, Int(name.kind.rawValue), name.bytes) else { return nil }
        guard let state = ThingState(row.borrowedBytes(0)) else { throw ReplicaTables.damaged }
        return state
    }

    static func write(_ state: ThingState, of name: ThingName, _ connection: Connection) throws(StoreError) {
        try connection.runOrInsert(update, insert, Int(name.kind.rawValue), name.bytes, state.bytes)
    }

    static func delete(_ name: ThingName, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, Int(name.kind.rawValue), name.bytes)
    }

    static func areThere(_ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectAny) != nil
    }

    /// Returns the names of a kind that begin with the given parts, in the order of their bytes.
    static func names(
        _ kind: ThingKind, beginningWith parts: [String], _ connection: Connection
    ) throws(StoreError) -> [ThingName] {
        let beginning = ThingName.bytes(of: parts)
        let rows = try connection.rows(
            selectNames, Int(kind.rawValue), beginning, ThingName.end(ofNamesBeginningWith: beginning))
        var names: [ThingName] = []
        while try rows.next() {
            guard let name = ThingName(kind, bytes: rows.borrowedBytes(0)) else { throw ReplicaTables.damaged }
            names.append(name)
        }
        return names
    }

    /// Returns the next things of a kind after a name, in the order of their names' bytes, with their states.
    static func next(
        _ kind: ThingKind, after name: [UInt8], limit: Int, _ connection: Connection
    ) throws(StoreError) -> [(name: ThingName, state: ThingState)] {
        var things: [(name: ThingName, state: ThingState)] = []
        let rows = try connection.rows(selectNext, Int(kind.rawValue), name, limit)
        while try rows.next() {
            guard let name = ThingName(kind, bytes: rows.borrowedBytes(0)),
                let state = ThingState(rows.borrowedBytes(1))
            else { throw ReplicaTables.damaged }
            things.append((name, state))
        }
        return things
    }

    private static let selectAny = StatementText("SELECT 1 FROM replica_things LIMIT 1")
    private static let selectNext = StatementText(
        "SELECT name, state FROM replica_things WHERE kind = ?1 AND name > ?2 ORDER BY name LIMIT ?3")
    private static let select = StatementText("SELECT state FROM replica_things WHERE kind = ?1 AND name = ?2")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_things SET state = ?3 WHERE kind = ?1 AND name = ?2")
    private static let insert = StatementText("INSERT INTO replica_things VALUES (?1, ?2, ?3)")
    private static let delete = StatementText("DELETE FROM replica_things WHERE kind = ?1 AND name = ?2")
    private static let selectNames = StatementText(
        "SELECT name FROM replica_things WHERE kind = ?1 AND name >= ?2 AND name < ?3 ORDER BY name")
}
