import SQLCipher
import StoreBasics
import StoreCrypto

/// Removes rows that earlier commits have made unreachable: the rows that `Leftovers` lists, the tables of a store that
/// was cleared, and compacted changes. Each step is a record of its own in the journal. The work continues after a
/// restart.
enum RowRemoval {
    private struct Removal {
        let kind: Leftovers.Kind
        let first: Int64
        let last: Int64
    }

    /// Removes rows of messages until the slice is over, as a part of other work.
    ///
    /// - Parameter listeners: Listeners to inform of the removed messages.
    /// - Returns: True if no rows of messages are left to remove.
    static func removeMessages(
        _ slice: WorkSlice, _ listeners: MessageRowListeners, _ connection: Connection, _ released: inout [ContentID]
    ) throws(StoreError) -> Bool {
        repeat {
            guard let removal = try next(connection), removal.kind.isOfMessages else { return true }
            if try removeMessages(removal, slice, listeners, connection, &released) {
                try connection.run(Leftovers.forgetRemoval, removal.kind.rawValue, removal.first)
            }
        } while !slice.isOver
        return false
    }

    /// Removes rows of the first listed removal until the slice is over. If no removal is listed, removes rows of a
    /// cleared table, or compacted changes.
    ///
    /// - Parameters:
    ///   - listeners: Listeners to inform of removed messages.
    ///   - released: Receives contents whose rows are removed and that have files in the vault.
    /// - Returns: False if nothing was left to remove.
    static func removeSome(
        _ slice: WorkSlice, _ listeners: MessageRowListeners, _ connection: Connection, _ released: inout [ContentID]
    ) throws(StoreError) -> Bool {
        guard let removal = try next(connection) else {
            if try ClearedTables.removeSome(slice, connection) {
                return true
            }
            return try removeChanges(slice, connection)
        }
        let isDone =
            switch removal.kind {
            case .messages, .untoldMessages:
                try removeMessages(removal, slice, listeners, connection, &released)
            case .logEntries: try removePlaces(entryPlaces, removal, deleteEntry, slice, connection)
            case .displacedEntries: try removePlaces(displacedPlaces, removal, deleteEntry, slice, connection)
            case .reactions: try removePlaces(reactionPlaces, removal, deleteReaction, slice, connection)
            case .attachments: try removeAttachments(removal, slice, connection, &released)
            case .fileChildren: try removeFiles(removal, slice, connection, &released)
            case .contentChunks: try removeChunks(removal, slice, connection)
            case .deviceEntries:
                try removePlaces(deviceEntryPlaces, removal, deleteDeviceEntry, slice, connection)
            case .members: try removePlaces(memberPlaces, removal, deleteMember, slice, connection)
            }
        if isDone {
            try connection.run(Leftovers.forgetRemoval, removal.kind.rawValue, removal.first)
        }
        return true
    }

    private static func next(_ connection: Connection) throws(StoreError) -> Removal? {
        guard let row = try connection.first(firstRemoval) else { return nil }
        guard let kind = Leftovers.Kind(rawValue: row.integer(0)) else {
            throw .databaseDamaged("a pending removal has an unknown kind")
        }
        return Removal(kind: kind, first: row.integer(1), last: row.integer(2))
    }

    /// A row of the statement `selectMessages`.
    private struct LeftMessage {
        let place: MessagePlace
        let sequence: Int64
        let hasReactions: Bool
        let expiresAt: Int64?
        let attachments: Int64?

        init(_ row: borrowing Rows) throws(StoreError) {
            place = try MessagePlace(row, conversation: 0, timestamp: 1, id: 2)
            sequence = row.integer(3)
            hasReactions = row.bool(4)
            expiresAt = row.optionalInteger(5)
            attachments = row.optionalInteger(6)
        }
    }

    private static func removeMessages(
        _ removal: Removal, _ slice: WorkSlice, _ listeners: MessageRowListeners, _ connection: Connection,
        _ released: inout [ContentID]
    ) throws(StoreError) -> Bool {
        let rows = try connection.rows(selectMessages, removal.first, removal.last, EngineLimits.stepRowsMax)
        var messages: [LeftMessage] = []
        while try rows.next() {
            messages.append(try LeftMessage(rows))
        }
        let listeners = try listeners(connection)
        for (index, message) in messages.enumerated() where index == 0 || !slice.isOver {
            let sequence = message.sequence
            if message.hasReactions,
                try !removePlaces(
                    reactionPlaces, Removal(kind: .reactions, first: sequence, last: sequence), deleteReaction, slice,
                    connection)
            {
                return false
            }
            if let list = message.attachments {
                let attachments = Removal(kind: .attachments, first: list, last: list)
                guard try removeAttachments(attachments, slice, connection, &released) else { return false }
            }
            for listener in listeners {
                try listener.messageRowRemoved(
                    at: message.place, sequence: sequence, isRecorded: removal.kind == .messages)
            }
            try connection.run(deleteMessage, message.place)
            try LongTexts.delete(of: sequence, connection)
            if let expiresAt = message.expiresAt {
                try connection.run(ExpiryWrites.deleteExpiry, expiresAt, message.place.id)
            }
        }
        return messages.isEmpty
    }

    /// Removes rows whose keys are two numbers.
    ///
    /// - Returns: True if there were no rows left to remove.
    private static func removePlaces(
        _ select: StatementText, _ removal: Removal, _ delete: StatementText, _ slice: WorkSlice,
        _ connection: Connection
    ) throws(StoreError) -> Bool {
        let rows = try connection.rows(select, removal.first, removal.last, EngineLimits.stepRowsMax)
        var places: [(Int64, Int64)] = []
        while try rows.next() {
            places.append((rows.integer(0), rows.integer(1)))
        }
        for (index, place) in places.enumerated() where index == 0 || !slice.isOver {
            try connection.run(delete, place.0, place.1)
        }
        return places.isEmpty
    }

    /// Removes attachments, and releases the contents that no other attachment has.
    ///
    /// - Returns: True if no attachments are left to remove.
    private static func removeAttachments(
        _ removal: Removal, _ slice: WorkSlice, _ connection: Connection, _ released: inout [ContentID]
    ) throws(StoreError) -> Bool {
        let rows = try connection.rows(attachmentPlaces, removal.first, removal.last, EngineLimits.stepRowsMax)
        var places: [(list: Int64, position: Int64, content: Int64, hasSource: Bool)] = []
        while try rows.next() {
            places.append((rows.integer(0), rows.integer(1), rows.integer(2), rows.bool(3)))
        }
        for (index, place) in places.enumerated() {
            guard index == 0 || !slice.isOver else { return false }
            try connection.run(deleteAttachment, place.list, place.position)
            if let bytes = try AttachmentContents.release(place.content, hasSource: place.hasSource, connection) {
                try Leftovers.releaseContent(bytes, connection, &released)
            }
        }
        return places.count < EngineLimits.stepRowsMax
    }

    /// Removes files and directories. The content of a directory gets a removal of its own.
    private static func removeFiles(
        _ removal: Removal, _ slice: WorkSlice, _ connection: Connection, _ released: inout [ContentID]
    ) throws(StoreError) -> Bool {
        let rows = try connection.rows(selectFiles, removal.first, removal.last, EngineLimits.stepRowsMax)
        var places: [(number: Int64, content: Int64?)] = []
        while try rows.next() {
            places.append((rows.integer(0), rows.optionalInteger(1)))
        }
        for (index, place) in places.enumerated() where index == 0 || !slice.isOver {
            try connection.run(deleteFileRow, place.number)
            if let content = place.content {
                try Leftovers.releaseContent(content, connection, &released)
            } else {
                try Leftovers.add(.fileChildren, place.number...place.number, connection)
            }
        }
        return places.isEmpty
    }

    private static func removeChunks(
        _ removal: Removal, _ slice: WorkSlice, _ connection: Connection
    ) throws(StoreError) -> Bool {
        guard try removePlaces(selectChunks, removal, deleteChunks, slice, connection) else { return false }
        return try removePlaces(selectFreedSlots, removal, deleteFreedSlots, slice, connection)
    }

    /// Removes compacted changes, oldest first, so that the remaining ones have no gap. Changes that the search index
    /// has not read yet are kept, and so is the newest row of the change log, which contains the counters.
    ///
    /// - Returns: False if there was no such change.
    private static func removeChanges(_ slice: WorkSlice, _ connection: Connection) throws(StoreError) -> Bool {
        let rows = try connection.rows(selectCompactedChanges, EngineLimits.stepRowsMax)
        var revisions: [Int64] = []
        while try rows.next() {
            revisions.append(rows.integer(0))
        }
        for (index, revision) in revisions.enumerated() where index == 0 || !slice.isOver {
            try connection.run(deleteChanges, revision)
        }
        return !revisions.isEmpty
    }

    private static let firstRemoval = StatementText(
        "SELECT kind, first_number, last_number FROM removals ORDER BY kind, first_number LIMIT 1")
    private static let selectMessages = StatementText(
        """
        SELECT conversation, timestamp, id, sequence, reactions IS NOT NULL, expires_at, attachments FROM messages
        WHERE conversation >= ?1 AND conversation <= ?2
        ORDER BY conversation, timestamp, id LIMIT ?3
        """)
    private static let deleteMessage = StatementText(
        "DELETE FROM \(MessagePlace.table) WHERE \(MessagePlace.condition)")
    private static let reactionPlaces = StatementText(
        """
        SELECT message_sequence, revision FROM reactions WHERE message_sequence >= ?1 AND message_sequence <= ?2
        ORDER BY message_sequence, revision LIMIT ?3
        """)
    private static let deleteReaction = StatementText(
        "DELETE FROM reactions WHERE message_sequence = ?1 AND revision = ?2")
    private static let attachmentPlaces = StatementText(
        """
        SELECT list, position, content, source IS NOT NULL FROM attachments WHERE list >= ?1 AND list <= ?2
        ORDER BY list, position LIMIT ?3
        """)
    private static let deleteAttachment = StatementText("DELETE FROM attachments WHERE list = ?1 AND position = ?2")
    private static let entryPlaces = StatementText(
        """
        SELECT log, sequence FROM log_entries WHERE log >= ?1 AND log <= ?2 ORDER BY log, sequence LIMIT ?3
        """)
    private static let displacedPlaces = StatementText(
        """
        SELECT log, sequence FROM log_entries
        WHERE log = ?1 AND sequence < (SELECT first_sequence FROM logs WHERE number = ?2) ORDER BY sequence LIMIT ?3
        """)
    private static let deleteEntry = StatementText("DELETE FROM log_entries WHERE log = ?1 AND sequence = ?2")
    private static let deleteDeviceEntry = StatementText(
        "DELETE FROM replica_log_entries WHERE log = ?1 AND sequence = ?2")
    private static let deviceEntryPlaces = StatementText(
        """
        SELECT log, sequence FROM replica_log_entries WHERE log = ?1
            AND sequence < coalesce((SELECT oldest FROM replica_logs WHERE number = ?2), \(Int64.max))
        ORDER BY sequence LIMIT ?3
        """)
    private static let memberPlaces = StatementText(
        """
        SELECT conversation, number FROM conversation_members WHERE conversation >= ?1 AND conversation <= ?2
        ORDER BY conversation LIMIT ?3
        """)
    private static let deleteMember = StatementText(
        "DELETE FROM conversation_members WHERE conversation = ?1 AND number = ?2")
    private static let selectFiles = StatementText(
        "SELECT number, content FROM files WHERE parent >= ?1 AND parent <= ?2 LIMIT ?3")
    private static let deleteFileRow = StatementText("DELETE FROM files WHERE number = ?1")
    private static let selectChunks = StatementText(
        "SELECT content, first_chunk FROM content_chunks WHERE content >= ?1 AND content <= ?2 LIMIT ?3")
    private static let deleteChunks = StatementText(
        "DELETE FROM content_chunks WHERE content = ?1 AND first_chunk = ?2")
    private static let selectFreedSlots = StatementText(
        "SELECT content, first_slot FROM content_freed_slots WHERE content >= ?1 AND content <= ?2 LIMIT ?3")
    private static let deleteFreedSlots = StatementText(
        "DELETE FROM content_freed_slots WHERE content = ?1 AND first_slot = ?2")
    private static let selectCompactedChanges = StatementText(
        """
        SELECT first_revision FROM changes WHERE first_revision <= (SELECT compacted_through FROM store)
            AND last_revision <= (SELECT compacted_through FROM store)
            AND last_revision <= (SELECT indexed_through FROM search_state)
            AND first_revision < (SELECT max(first_revision) FROM changes)
        ORDER BY first_revision LIMIT ?1
        """)
    private static let deleteChanges = StatementText("DELETE FROM changes WHERE first_revision = ?1")
}
