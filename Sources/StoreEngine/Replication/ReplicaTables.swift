import ReplicaModel
import SQLCipher
import StoreBasics

/// The tables of a store that belongs to a group of stores. Nothing of it is there before, and all of it goes with it.
enum ReplicaTables {
    static let definitions = """
        CREATE TABLE replica_group (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            device INTEGER NOT NULL,
            device_name TEXT NOT NULL,
            device_keys BLOB NOT NULL,
            history BLOB NOT NULL,
            id BLOB NOT NULL,
            state INTEGER NOT NULL,
            selection BLOB NOT NULL,
            clock INTEGER NOT NULL,
            collected_through INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL,
            last_hash BLOB NOT NULL,
            stored_through INTEGER NOT NULL,
            walk BLOB,
            snapshot BLOB,
            snapshot_maker INTEGER,
            snapshot_chunks INTEGER,
            snapshot_hash BLOB,
            snapshot_heard_at INTEGER,
            positions_told_at INTEGER NOT NULL
        );
        CREATE TABLE replica_members (
            device INTEGER PRIMARY KEY,
            signing_key BLOB NOT NULL,
            receiving_key BLOB NOT NULL,
            name TEXT NOT NULL,
            flags INTEGER NOT NULL,
            merged_sequence INTEGER NOT NULL,
            merged_hash BLOB NOT NULL,
            merged_at INTEGER,
            removed_through INTEGER,
            fault TEXT,
            ahead_milliseconds INTEGER NOT NULL,
            told_sequence INTEGER NOT NULL,
            told_at INTEGER,
            teller INTEGER,
            key_awaited_since INTEGER,
            asked_device INTEGER,
            asked_at INTEGER
        );
        CREATE TABLE replica_epochs (
            number INTEGER NOT NULL,
            maker INTEGER NOT NULL,
            key BLOB NOT NULL,
            PRIMARY KEY (number, maker)
        ) WITHOUT ROWID;
        CREATE TABLE replica_grants (
            number INTEGER NOT NULL,
            maker INTEGER NOT NULL,
            device INTEGER NOT NULL,
            is_sure INTEGER NOT NULL,
            PRIMARY KEY (number, maker, device)
        ) WITHOUT ROWID;
        CREATE TABLE replica_invitations (
            id BLOB NOT NULL PRIMARY KEY,
            code BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            is_own INTEGER NOT NULL,
            device INTEGER
        ) WITHOUT ROWID;
        CREATE TABLE replica_outgoing (
            channel TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            message BLOB NOT NULL,
            PRIMARY KEY (channel, sequence)
        );
        CREATE TABLE replica_snapshots (
            id BLOB NOT NULL PRIMARY KEY,
            walk BLOB,
            last_chunk INTEGER NOT NULL,
            last_hash BLOB NOT NULL,
            positions BLOB NOT NULL,
            requester INTEGER NOT NULL,
            epoch_number INTEGER NOT NULL,
            epoch_maker INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE replica_parts (
            channel TEXT NOT NULL PRIMARY KEY,
            before_sequence INTEGER NOT NULL,
            before_hash BLOB NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE TABLE replica_things (
            kind INTEGER NOT NULL,
            name BLOB NOT NULL,
            state BLOB NOT NULL,
            PRIMARY KEY (kind, name)
        ) WITHOUT ROWID;
        CREATE TABLE replica_names (
            kind INTEGER NOT NULL,
            id TEXT NOT NULL,
            session_id TEXT NOT NULL,
            PRIMARY KEY (kind, id)
        ) WITHOUT ROWID;
        CREATE TABLE replica_messages (
            id TEXT NOT NULL PRIMARY KEY,
            mark BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE replica_untold_removals (
            message_id TEXT NOT NULL PRIMARY KEY,
            generation INTEGER NOT NULL
        ) WITHOUT ROWID;
        \(ReplicaContentTables.definitions)
        \(ReplicaLogTables.definitions)
        """

    /// All of them, in the order in which they are emptied.
    static let names =
        [
            "replica_group", "replica_invitations", "replica_epochs", "replica_grants", "replica_members",
            "replica_outgoing", "replica_snapshots", "replica_parts", "replica_untold_removals", "replica_things",
            "replica_names", "replica_messages",
        ] + ReplicaContentTables.names
}

/// The rows of `replica_things`.
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

    /// Whether anything is remembered of any.
    static func areThere(_ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectAny) != nil
    }

    /// Names of a kind that begin with some parts, in the order of their bytes.
    static func names(
        _ kind: ThingKind, beginningWith parts: [String], _ connection: Connection
    ) throws(StoreError) -> [ThingName] {
        let beginning = ThingName.bytes(of: parts)
        // Behind all that begin so: no length has these bits.
        let rows = try connection.rows(selectNames, Int(kind.rawValue), beginning, beginning + [0xff, 0xff])
        var names: [ThingName] = []
        while try rows.next() {
            guard let name = ThingName(kind, bytes: rows.borrowedBytes(0)) else { throw ReplicaTables.damaged }
            names.append(name)
        }
        return names
    }

    /// Things of a kind behind one, in the order of their names' bytes.
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

/// The rows of `replica_names`: which session id an id stood for, also of what is deleted. Changes name ids alone.
enum ReplicaNameRows {
    static func sessionID(
        _ kind: ThingKind, id: String, _ connection: Connection
    ) throws(StoreError) -> String? {
        try connection.first(select, Int(kind.rawValue), id)?.text(0)
    }

    static func write(
        _ kind: ThingKind, id: String, sessionID: String, _ connection: Connection
    ) throws(StoreError) {
        try connection.runOrInsert(update, insert, Int(kind.rawValue), id, sessionID)
    }

    private static let select = StatementText("SELECT session_id FROM replica_names WHERE kind = ?1 AND id = ?2")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_names SET session_id = ?3 WHERE kind = ?1 AND id = ?2")
    private static let insert = StatementText("INSERT INTO replica_names VALUES (?1, ?2, ?3)")
}

/// The rows of `replica_messages`.
enum ReplicaMessageRows {
    /// - Returns: an empty one without a row.
    static func read(_ id: String, _ connection: Connection) throws(StoreError) -> MessageMark {
        guard let row = try connection.first(select, id) else { return MessageMark() }
        guard let mark = MessageMark(row.borrowedBytes(0)) else { throw ReplicaTables.damaged }
        return mark
    }

    /// - Parameter known: as it was read. Of most messages nothing is remembered, before and after.
    static func write(
        _ mark: MessageMark, insteadOf known: MessageMark, of id: String, _ connection: Connection
    ) throws(StoreError) {
        if mark != known {
            try write(mark, of: id, connection)
        }
    }

    static func write(_ mark: MessageMark, of id: String, _ connection: Connection) throws(StoreError) {
        if mark.isNeeded {
            try connection.runOrInsert(update, insert, id, mark.bytes)
        } else {
            try connection.run(delete, id)
        }
    }

    /// Messages that something is remembered of, behind one.
    static func next(
        after id: String, limit: Int, _ connection: Connection
    ) throws(StoreError) -> [(id: String, mark: MessageMark)] {
        var messages: [(id: String, mark: MessageMark)] = []
        let rows = try connection.rows(selectNext, id, limit)
        while try rows.next() {
            guard let mark = MessageMark(rows.borrowedBytes(1)) else { throw ReplicaTables.damaged }
            messages.append((try rows.text(0), mark))
        }
        return messages
    }

    private static let selectNext = StatementText(
        "SELECT id, mark FROM replica_messages WHERE id > ?1 ORDER BY id LIMIT ?2")
    private static let select = StatementText("SELECT mark FROM replica_messages WHERE id = ?1")
    private static let update = StatementText("UPDATE OR FAIL replica_messages SET mark = ?2 WHERE id = ?1")
    private static let insert = StatementText("INSERT INTO replica_messages VALUES (?1, ?2)")
    private static let delete = StatementText("DELETE FROM replica_messages WHERE id = ?1")
}

extension ReplicaTables {
    static var damaged: StoreError {
        .databaseDamaged("what it remembers of its group makes no sense")
    }
}
