import SQLCipher
import StoreBasics

/// Answers repeated requests with the stored result.
extension StoreWrites {
    /// Applies one request to the open transaction.
    ///
    /// A request reads before it writes, so that an expected failure has changed nothing and needs no savepoint.
    /// SQLCipher encrypts every page that a savepoint sets aside, which would double the cost of a save.
    ///
    /// - Parameters:
    ///   - history: The history of the request; `nil` for any.
    ///   - progress: The progress of earlier transactions with this request. The last transaction stores the
    ///     idempotency key. Until then a repetition, also after a crash, performs the rest of the work.
    func perform(
        _ request: WriteRequest, in history: HistoryID?, after progress: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<MutationResult> {
        try History.expect(history, is: statistics.history)
        if let key = request.idempotencyKey, let earlier = try result(for: key) {
            return .done(earlier)
        }
        if let key = request.idempotencyKey, try !keptKeys.keys.findPosition(of: key.userID, slice, connection) {
            return .unfinished(ProgressFoundAnew())
        }
        let step = try perform(request.mutation, after: progress)
        guard case .done(var result) = step else { return step }
        if case .commit(var commit) = result {
            commit.revision = statistics.revision
            result = .commit(commit)
        }
        if let key = request.idempotencyKey {
            try keptKeys.keys.keep(result, for: key, connection)
        }
        return .done(result)
    }

    /// Returns the stored result of an earlier request with this key; `nil` for a new key. If the result is a
    /// conversation, its metadata and the text of its last message are not stored with the result but read again. The
    /// text is empty if the message is no longer in that conversation.
    ///
    /// - Throws: `.idempotencyKeyReused` if the earlier request was a different one.
    private func result(for key: IdempotencyKey) throws(StoreError) -> MutationResult? {
        guard let kept = try KeptKeys.kept(for: key, connection) else { return nil }
        guard kept.fingerprint == key.content else {
            throw StoreError(
                .idempotencyKeyReused,
                "the idempotency key was used for another request; create a new key for each "
                    + "request, and repeat a request with the same key and the same bytes")
        }
        guard case .conversation(var conversation, let isNew, _) = kept.result else { return kept.result.replayed }
        conversation.metadata = try connection.first(Self.metadata, conversation.id)?.metadata(0)
        if let last = conversation.lastMessage {
            conversation.lastMessage?.text = try text(ofMessage: last.id, in: conversation.id) ?? ""
        }
        return .conversation(conversation, isNew: isNew, isReplayed: true)
    }

    /// Returns the text of a message; `nil` if it was deleted or moved.
    private func text(ofMessage id: EntityID, in conversation: EntityID) throws(StoreError) -> String? {
        guard let row = try connection.first(Self.messageText, id, conversation), !clock.isOver(row, 1) else {
            return nil
        }
        return try row.text(0)
    }

    private static let metadata = StatementText(
        """
        SELECT d.data FROM conversations AS c CROSS JOIN conversation_metadata AS d ON d.conversation = c.number
        WHERE c.id = ?1
        """)
    private static let messageText = StatementText(
        MessageRow.selectByID("\(LongTexts.column(of: "m")), m.expires_at") + " AND c.id = ?2")
}
