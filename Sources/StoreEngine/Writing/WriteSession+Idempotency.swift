import SQLCipher

extension WriteSession {
    /// The receipt of an earlier request with this key.
    func receipt(for key: IdempotencyKey, of mutation: Mutation) throws(StoreError) -> Receipt? {
        if case .appendLog = mutation {
            return try mapped { () throws(SQLCipherError) in try AppendKeys.receipt(for: key, connection) }
        }
        let select = try statement(Self.selectReceipt)
        select.bind(1, Int64(key.userID))
        select.bind(2, key.bytes)
        defer { select.reset() }
        guard try mapped({ () throws(SQLCipherError) in try select.step() }) else {
            return nil
        }
        guard var receipt = select.withBlobBytes(0, ReceiptCodec.decode) else {
            throw StoreError(.databaseDamaged, "a kept answer makes no sense; run `ghoststorectl check`")
        }
        receipt.isReplayed = true
        return receipt
    }

    func remember(_ receipt: Receipt, for key: IdempotencyKey, of mutation: Mutation) throws(StoreError) {
        if case .appendLog = mutation {
            return try mapped { () throws(SQLCipherError) in
                try AppendKeys.remember(receipt, for: key, now: now, connection)
            }
        }
        let insert = try statement(Self.insertReceipt)
        insert.bind(1, Int64(key.userID))
        insert.bind(2, key.bytes)
        insert.bind(3, now.microseconds)
        insert.bind(4, Int64(receipt.revision))
        insert.bind(5, ReceiptCodec.encode(receipt))
        try mapped { () throws(SQLCipherError) in try insert.run() }
    }

    private static let selectReceipt = StatementText(
        "SELECT receipt FROM idempotency_keys WHERE user = ?1 AND key = ?2")
    private static let insertReceipt = StatementText(
        "INSERT INTO idempotency_keys (user, key, used_at, revision, receipt) VALUES (?1, ?2, ?3, ?4, ?5)")
}
