import SQLCipher
internal import StoreBasics

extension WriteSession {
    /// The receipt of an earlier request with this key.
    ///
    /// - Throws: `.idempotencyKeyReused` when that request was another operation.
    func receipt(for key: IdempotencyKey, of mutation: Mutation) throws(StoreError) -> Receipt? {
        let kept = mutation.isAppend ? try appendReceipt(for: key) : try receipt(for: key)
        guard let kept else {
            return nil
        }
        guard kept.fingerprint.map({ $0 == MutationFingerprint(mutation) }) ?? true else {
            throw StoreError(
                .idempotencyKeyReused,
                "the idempotency key was used for another call or another target; make a new key for each operation")
        }
        var receipt = kept.receipt
        receipt.isReplayed = true
        return receipt
    }

    mutating func remember(_ receipt: Receipt, for key: IdempotencyKey, of mutation: Mutation) throws(StoreError) {
        let fingerprint = MutationFingerprint(mutation)
        guard !mutation.isAppend else {
            return try rememberAppend(receipt, for: key, fingerprint)
        }
        let insert = try statement(Self.insertReceipt)
        insert.bind(1, Int64(key.userID))
        insert.bind(2, key.bytes)
        insert.bind(3, now.microseconds)
        insert.bind(4, Int64(receipt.revision))
        insert.bind(5, ReceiptCodec.encode(receipt, of: fingerprint))
        try mapped { () throws(SQLCipherError) in try insert.run() }
    }

    private func receipt(for key: IdempotencyKey) throws(StoreError) -> ReceiptCodec.Kept? {
        let select = try statement(Self.selectReceipt)
        select.bind(1, Int64(key.userID))
        select.bind(2, key.bytes)
        defer { select.reset() }
        guard try mapped({ () throws(SQLCipherError) in try select.step() }) else {
            return nil
        }
        guard let kept = select.withBlobBytes(0, ReceiptCodec.decode) else {
            throw .databaseDamaged("a kept answer makes no sense")
        }
        return kept
    }

    private static let selectReceipt = StatementText(
        "SELECT receipt FROM idempotency_keys WHERE user = ?1 AND key = ?2")
    private static let insertReceipt = StatementText(
        "INSERT INTO idempotency_keys (user, key, used_at, revision, receipt) VALUES (?1, ?2, ?3, ?4, ?5)")
}
