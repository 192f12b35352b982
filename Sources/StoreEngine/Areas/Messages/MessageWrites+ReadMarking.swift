import SQLCipher
import StoreBasics

extension MessageWrites {
    /// Marks all unread messages of a conversation as read, a step at a time, newest first.
    ///
    /// - Returns: A commit without ids, because very many messages may have been unread.
    func markConversationRead(
        _ reference: ConversationReference, after progress: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<Commit> {
        var marking: ReadMarking
        if let begun = progress as? ReadMarking {
            marking = begun
        } else {
            marking = ReadMarking(
                conversation: try conversations.conversation(reference).number,
                newestSequence: Int64(statistics.revision))
        }
        let isDone = try advance(&marking)
        guard isDone else { return .unfinished(marking) }
        var commit = Commit()
        commit.updatedCount = marking.updatedCount
        return .done(commit)
    }

    /// - Returns: True if no more messages have to be marked.
    private func advance(_ marking: inout ReadMarking) throws(StoreError) -> Bool {
        // The search begins with the newest messages, because most unread messages are new. It ends early when it has
        // found as many unread messages as the conversation counts. If the conversation has no row, another request has
        // deleted it.
        guard let counts = try connection.first(Self.unreadCounts, marking.conversation) else { return true }
        let unread = UnreadCounts(incoming: Int(try counts.count(0)), outgoing: Int(try counts.count(1))).all
        let (found, isAtEnd) = try nextUnread(of: unread, &marking)
        marking.updatedCount += try markRead(found)
        return isAtEnd
    }

    /// Returns the next unread messages.
    ///
    /// - Parameter unread: The number of all unread messages of the conversation. The search ends after it has found
    ///   this number.
    private func nextUnread(
        of unread: Int, _ marking: inout ReadMarking
    ) throws(StoreError) -> (found: [MessageHead], isAtEnd: Bool) {
        var found: [MessageHead] = []
        var met = 0
        guard unread > 0 else { return (found, true) }
        let rows = try connection.rows(
            Self.olderHeads, marking.conversation, marking.position.timestamp, marking.position.id)
        var looked = 0
        while try rows.next() {
            let head = try MessageHead(rows)
            marking.position = MessageCursor(timestamp: head.timestamp, id: head.id)
            looked += 1
            if !head.isRead {
                met += 1
                if head.sequence <= marking.newestSequence {
                    found.append(head)
                }
            }
            guard met < unread else { return (found, true) }
            guard found.count < EngineLimits.stepRowsMax, looked % Self.rowsPerLook > 0 || !slice.isOver else {
                return (found, false)
            }
        }
        return (found, true)
    }

    /// The number of rows after which the search checks again whether the commit's time is over.
    private static let rowsPerLook = 64

    private static let unreadCounts = StatementText(
        "SELECT unread_count, unread_outgoing_count FROM conversations WHERE number = ?1")
    private static let olderHeads = StatementText(
        """
        SELECT \(MessageHead.columns), c.id
        FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE c.number = ?1 AND m.conversation = ?1 AND (m.timestamp, m.id) < (?2, ?3)
        ORDER BY m.timestamp DESC, m.id DESC
        """)
}

/// The progress of marking messages of a conversation as read, newest first.
struct ReadMarking: WorkProgress {
    let conversation: Int64
    /// The greatest sequence number of the messages to mark. Messages that were saved later are not marked, so that the
    /// work comes to an end.
    let newestSequence: Int64
    /// The cursor of the last examined message. Everything newer was examined too.
    var position = MessageCursor.end
    var updatedCount = 0
}
