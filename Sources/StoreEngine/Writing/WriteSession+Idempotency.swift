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
        try connection.run(
            Self.insertReceipt, key.userID, key.bytes, now, receipt.revision,
            ReceiptCodec.encode(receipt, of: fingerprint))
    }

    private func receipt(for key: IdempotencyKey) throws(StoreError) -> ReceiptCodec.Kept? {
        guard let row = try connection.first(Self.selectReceipt, key.userID, key.bytes) else {
            return nil
        }
        guard let kept = ReceiptCodec.decode(row.borrowedBytes(0)) else {
            throw .databaseDamaged("a kept answer makes no sense")
        }
        return kept
    }

    private static let selectReceipt = StatementText(
        "SELECT receipt FROM idempotency_keys WHERE user = ?1 AND key = ?2")
    private static let insertReceipt = StatementText(
        "INSERT INTO idempotency_keys (user, key, used_at, revision, receipt) VALUES (?1, ?2, ?3, ?4, ?5)")
}
