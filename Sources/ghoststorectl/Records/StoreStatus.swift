import StoreClient

extension StoreState {
    var word: String {
        switch self {
        case .absent: "absent"
        case .locked: "locked"
        case .open: "open"
        case .readOnly: "read-only"
        case .wrongKey: "wrong-key"
        case .keyMissing: "key-missing"
        case .keyringDamaged: "keyring-damaged"
        case .databaseDamaged: "database-damaged"
        case .newerSchema: "newer-schema"
        case .storageFailed: "storage-failed"
        case .unknown: "unknown"
        }
    }
}

extension Status: Presentable {
    var json: JSONObject {
        var object = JSONObject()
        object.add("store_state", storeState.word)
        object.add("store_state_message", storeStateMessage)
        object.add("server_version", serverVersion)
        object.add("protocol_version", protocolVersion)
        object.add("sqlcipher_version", sqlCipherVersion)
        object.add("sqlite_version", sqliteVersion)
        object.add("libsodium_version", libsodiumVersion)
        object.add("schema_version", schemaVersion)
        object.add("is_memory_locked", isMemoryLocked)
        object.add("uptime_milliseconds", uptimeMilliseconds)
        object.add("connection_count", connectionCount)
        object.add("revision", revision)
        object.add("database_bytes", databaseBytes)
        object.add("wal_bytes", walBytes)
        object.add("wal_frames_ignored", walFramesIgnored)
        object.add("resident_bytes", residentBytes)
        object.add("process_id", processID)
        return object
    }

    private var walDamage: String {
        guard walFramesIgnored > 0 else { return "" }
        let frames = Quantity.count(walFramesIgnored, "frame")
        return "\(frames) behind a damaged one were ignored: unless the power failed, answered changes are lost"
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("store", storeState.word)
        list.add("why", ifPresent: storeStateMessage)
        list.add("revision", revision)
        list.add("database", Quantity.bytes(databaseBytes) + " and " + Quantity.bytes(walBytes) + " of log")
        list.add("log damage", ifPresent: walDamage)
        list.add("daemon", "ghoststored \(serverVersion), process \(processID)")
        list.add("up", Quantity.duration(milliseconds: uptimeMilliseconds))
        list.add("connections", connectionCount)
        list.add("memory", Quantity.bytes(residentBytes) + " resident")
        list.add("key memory", isMemoryLocked ? "locked" : "not locked (see RLIMIT_MEMLOCK)")
        list.add("protocol", protocolVersion)
        list.add("schema", schemaVersion)
        list.add("libraries", "SQLCipher \(sqlCipherVersion), SQLite \(sqliteVersion), libsodium \(libsodiumVersion)")
        return list
    }
}

extension Statistics: Presentable {
    var json: JSONObject {
        var object = JSONObject()
        object.add("conversation_count", conversationCount)
        object.add("message_count", messageCount)
        object.add("contact_count", contactCount)
        object.add("unread_count", unreadCount)
        object.add("revision", revision)
        object.add("compacted_through_revision", compactedThroughRevision)
        object.add("database_bytes", databaseBytes)
        return object
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("conversations", conversationCount)
        list.add("messages", messageCount)
        list.add("contacts", contactCount)
        list.add("unread", unreadCount)
        list.add("revision", revision)
        list.add("compacted through", compactedThroughRevision)
        list.add("database", Quantity.bytes(databaseBytes))
        return list
    }
}

extension KeySlotKind {
    var word: String {
        switch self {
        case .passphrase: "passphrase"
        case .recoveryCode: "recovery-code"
        case .keyFile: "key-file"
        case .credential: "credential"
        case .unknown: "unknown"
        }
    }
}

extension KeySlot: Tabular {
    var json: JSONObject {
        var object = JSONObject()
        object.add("slot", number)
        object.add("kind", kind.word)
        object.add("label", label)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("memory_bytes", memoryBytes)
        object.add("passes", passes)
        return object
    }

    static var columns: [Table.Column] {
        [.number("slot"), .fixed("kind"), .text("label"), .fixed("created"), .fixed("cost")]
    }

    var cells: [Table.Cell] {
        let cost = memoryBytes == 0 ? "" : "Argon2id, \(Quantity.bytes(memoryBytes)) × \(passes)"
        return [
            Table.Cell(String(number)), Table.Cell(kind.word), Table.Cell(label),
            Table.Cell(createdAt.shortText, .dim), Table.Cell(cost),
        ]
    }
}
