import StoreClient

extension Status: Presentable {
    var json: JSONObject {
        [
            "store_state": storeState.word,
            "store_state_message": storeStateMessage,
            "server_version": serverVersion,
            "protocol_version": protocolVersion,
            "sqlcipher_version": sqlCipherVersion,
            "sqlite_version": sqliteVersion,
            "libsodium_version": libsodiumVersion,
            "schema_version": schemaVersion,
            "is_memory_locked": isMemoryLocked,
            "uptime_milliseconds": uptimeMilliseconds,
            "connection_count": connectionCount,
            "revision": revision,
            "compacted_through_revision": compactedThroughRevision,
            "history_id": historyID?.description ?? "",
            "database_bytes": databaseBytes,
            "wal_bytes": walBytes,
            "journal_bytes": journalBytes,
            "revisions_missing": revisionsMissing,
            "file_areas": vaultAreas.map(\.json),
            "resident_bytes": residentBytes,
            "process_id": processID,
            "state_directory": stateDirectory,
        ]
    }

    /// True if the daemon can read the store.
    private var isOpen: Bool {
        [.open, .readOnly].contains(storeState)
    }

    private var loss: String {
        guard revisionsMissing > 0 else { return "" }
        return Quantity.count(revisionsMissing, "acknowledged revision") + " dropped when the store was last opened"
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("store", storeState.word)
        list.add("why", Optional(storeStateMessage))
        // The daemon reports its process number only to callers with a right, so 0 means that this user has none.
        guard processID != 0 else {
            list.add("daemon", "ghoststored \(serverVersion)")
            list.add("protocol", protocolVersion)
            list.add(
                "more",
                """
                this user has no rights; hint: add an access rule to ghoststored.yaml, or run the command as root
                """)
            return list
        }
        if isOpen {
            list.add("revision", revision)
        }
        list.add("history", historyID?.description)
        list.add("database", Quantity.bytes(databaseBytes) + " and " + Quantity.bytes(walBytes) + " of WAL")
        list.add("journal", Quantity.bytes(journalBytes))
        for area in vaultAreas where area.fileCount > 0 || area.contentBytesMax > 0 {
            let bound = area.contentBytesMax > 0 ? " of at most " + Quantity.bytes(area.contentBytesMax) : ""
            list.add(
                "files in \(area.area.rawValue)",
                "\(area.fileCount), " + Quantity.bytes(area.contentBytes) + bound)
        }
        list.add("lost", Optional(loss))
        list.add("directory", Optional(stateDirectory))
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
        [
            "conversation_count": conversationCount,
            "message_count": messageCount,
            "contact_count": contactCount,
            "unread_count": unreadCount,
            "revision": revision,
            "compacted_through_revision": compactedThroughRevision,
            "database_bytes": databaseBytes,
        ]
    }

    var fields: FieldList {
        [
            "conversations": conversationCount, "messages": messageCount, "contacts": contactCount,
            "unread": unreadCount, "revision": revision, "compacted through": compactedThroughRevision,
            "database": Quantity.bytes(databaseBytes),
        ]
    }
}

extension KeySlot: Tabular, Described {
    static let description = JSONFields<KeySlot>(
        name: "slot",
        [
            .field("slot", \.number), .field("kind", \.kind.word), .field("label", \.label),
            .field("created_at_microseconds", \.createdAt), .field("memory_bytes", \.memoryBytes),
            .field("passes", \.passes), .field("is_configured", \.isConfigured),
        ])

    static let table: [TableColumn<KeySlot>] = [
        .init(.number("slot", worth: 9), \.number), .init(.fixed("kind", worth: 8), \.kind.word),
        .init(.text("label", worth: 7), \.label), .init(.fixed("created", worth: 3), \.createdAt),
        .init(.fixed("opens", worth: 5)) { $0.isConfigured ? "at start" : "" },
        .init(.fixed("cost", worth: 1)) {
            $0.memoryBytes == 0 ? "" : "Argon2id, \(Quantity.bytes($0.memoryBytes)) × \($0.passes)"
        },
    ]
}

extension ConnectedClient: Tabular, Described {
    private var user: String { Accounts.userName(userID) }

    static let description = JSONFields<ConnectedClient>(
        name: "process_id",
        [
            .field("process_id", \.processID), .field("uid", \.userID), .field("user", \.user),
            .field("client_name", \.name), .field("connected_at_microseconds", \.connectedAt),
            .field("request_count", \.requestCount), .field("watch_count", \.watchCount),
        ])

    static let table: [TableColumn<ConnectedClient>] = [
        .init(.number("process", worth: 8), \.processID), .init(.text("user", worth: 9), \.user),
        .init(.text("name", worth: 7), \.name), .init(.fixed("connected", worth: 6), \.connectedAt),
        .init(.number("requests", worth: 5), \.requestCount), .init(.number("watches", worth: 3), \.watchCount),
    ]
}
