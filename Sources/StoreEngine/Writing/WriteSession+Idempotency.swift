import SQLCipher
internal import StoreBasics

extension WriteSession {
    /// The result of an earlier request with this key, as it was answered: nothing that came after it shows.
    ///
    /// - Throws: `.idempotencyKeyReused` when that request was another operation.
    func result(for key: IdempotencyKey, of mutation: Mutation) throws(StoreError) -> MutationResult? {
        guard let kept = mutation.isAppend ? try keptAppend(for: key) : try keptResult(for: key) else {
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
        conversation.lastMessage?.text = try text(ofMessage: last.id) ?? ""
        return .conversation(conversation)
    }

    mutating func remember(
        _ result: MutationResult, for key: IdempotencyKey, of mutation: Mutation
    ) throws(StoreError) {
        let fingerprint = MutationFingerprint(mutation)
        if case .appended(let sequences, _) = result {
            return try rememberAppend(sequences, for: key, fingerprint)
        }
        let insert = try statement(Self.insertResult)
        insert.bind(1, Int64(key.userID))
        insert.bind(2, key.bytes)
        insert.bind(3, now.microseconds)
        insert.bind(4, Int64(statistics.revision))
        insert.bind(5, MutationResultCodec.encode(result, of: fingerprint))
        try mapped { () throws(SQLCipherError) in try insert.run() }
    }

    private func keptResult(for key: IdempotencyKey) throws(StoreError) -> MutationResultCodec.Kept? {
        let select = try statement(Self.selectResult)
        select.bind(1, Int64(key.userID))
        select.bind(2, key.bytes)
        defer { select.reset() }
        guard try mapped({ () throws(SQLCipherError) in try select.step() }) else {
            return nil
        }
        guard let kept = select.withBlobBytes(0, MutationResultCodec.decode) else {
            throw .databaseDamaged("a kept answer makes no sense")
        }
        return kept
    }

    /// `nil` when it was deleted since.
    private func text(ofMessage id: EntityID) throws(StoreError) -> String? {
        let select = try statement(Self.messageText)
        select.bind(1, id.text)
        defer { select.reset() }
        return try mapped { () throws(SQLCipherError) in try select.step() ? try select.text(0) : nil }
    }

    private static let selectResult = StatementText(
        "SELECT receipt FROM idempotency_keys WHERE user = ?1 AND key = ?2")
    private static let insertResult = StatementText(
        "INSERT INTO idempotency_keys (user, key, used_at, revision, receipt) VALUES (?1, ?2, ?3, ?4, ?5)")
    private static let messageText = StatementText(MessageRow.selectByID("m.text"))
}
