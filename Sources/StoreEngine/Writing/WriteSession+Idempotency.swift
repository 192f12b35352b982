import SQLCipher
import StoreBasics

extension WriteSession {
    /// Applies one request to the open transaction.
    ///
    /// Looks before it writes, so that an expected failure has changed nothing and needs no savepoint: SQLCipher
    /// encrypts every page that a savepoint sets aside, which doubles the price of a save.
    ///
    /// - Parameter progress: how far earlier transactions have come with it. Its key is kept by the last: until then
    ///   a repetition, also after a crash, does what is left to do.
    mutating func perform(_ request: WriteRequest, after progress: LongWork?) throws(StoreError) -> WorkStep {
        try History.expect(request.history, is: statistics.history)
        if let key = request.idempotencyKey, let earlier = try result(for: key, of: request.mutation) {
            return .done(earlier)
        }
        let step = try perform(request.mutation, after: progress)
        guard case .done(var result) = step else { return step }
        if case .commit(var commit) = result {
            commit.revision = statistics.revision
            result = .commit(commit)
        }
        if let key = request.idempotencyKey {
            try remember(result, for: key, of: request.mutation)
        }
        return .done(result)
    }

    /// The result of an earlier request with this key, as it was answered; only the text of a last message is that of
    /// now, and empty when the message is no longer in that conversation.
    ///
    /// - Throws: `.idempotencyKeyReused` when that request was another operation.
    func result(for key: IdempotencyKey, of mutation: Mutation) throws(StoreError) -> MutationResult? {
        guard let kept = mutation.isAppend ? try AppendKeys.kept(for: key, connection) : try keptResult(for: key) else {
            return nil
        }
        guard kept.fingerprint == MutationFingerprint(mutation) else {
            throw StoreError(
                .idempotencyKeyReused,
                "the idempotency key was used for another call or another target; make a new key for each operation")
        }
        guard case .conversation(var conversation) = kept.result, let last = conversation.lastMessage else {
            return kept.result.replayed
        }
        conversation.lastMessage?.text = try text(ofMessage: last.id, in: conversation.id) ?? ""
        return .conversation(conversation)
    }

    mutating func remember(
        _ result: MutationResult, for key: IdempotencyKey, of mutation: Mutation
    ) throws(StoreError) {
        let fingerprint = MutationFingerprint(mutation)
        if case .appended(let sequences, _) = result {
            return try rememberAppend(sequences, for: key, fingerprint)
        }
        let (kind, bytes) = MutationResultCodec.encode(result)
        try connection.run(
            Self.insertResult, key.userID, key.bytes, now, statistics.revision, Int64(bitPattern: fingerprint.value),
            Int64(kind.rawValue), bytes)
    }

    private func keptResult(for key: IdempotencyKey) throws(StoreError) -> MutationResultCodec.Kept? {
        guard let row = try connection.first(Self.selectResult, key.userID, key.bytes) else { return nil }
        let kind = UInt8(exactly: row.integer(1)).flatMap(MutationResultCodec.Kind.init(rawValue:))
        guard let kind, let result = MutationResultCodec.decode(kind, row.borrowedBytes(2)) else {
            throw .databaseDamaged("a kept answer makes no sense")
        }
        return MutationResultCodec.Kept(
            result: result, fingerprint: MutationFingerprint(value: UInt64(bitPattern: row.integer(0))))
    }

    /// `nil` when it was deleted or moved since.
    private func text(ofMessage id: EntityID, in conversation: EntityID) throws(StoreError) -> String? {
        try connection.first(Self.messageText, id, conversation)?.text(0)
    }

    private static let selectResult = StatementText(
        "SELECT fingerprint, result_kind, result FROM idempotency_keys WHERE user = ?1 AND key = ?2")
    private static let insertResult = StatementText(
        """
        INSERT INTO idempotency_keys (user, key, used_at, revision, fingerprint, result_kind, result)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """)
    private static let messageText = StatementText(MessageRow.selectByID("m.text") + " AND c.id = ?2")
}
