import SQLCipher
import StoreBasics

/// The idempotency keys of each user, with what their requests were answered. A key is kept for the
/// `EngineLimits.idempotencyKeysPerUser` keys that the same user gives after it: neither another user's keys nor a
/// clock can end it. A large answer counts as several keys, so that a user's answers are bounded as well.
///
/// Each key has its position among those of its user. Where a user has come to is not kept at rest, since the greatest
/// position that is kept tells it: no commit pays for a page of counters.
struct KeptKeys {
    private struct Share {
        var position: Int64
        /// The walk over the user's keys has looked at those up to here.
        var walkedTo: [UInt8] = []
        /// Keys given since the walk last went on.
        var added = 0
    }

    /// Rows looked at for each key that was added: more than one, so that what has expired never piles up.
    private static let rowsPerKey = 4
    /// Bytes of an answer that count as a key of their own.
    private static let answerBytesPerKey = 1_024

    private let keysPerUser: Int64
    private var shares: [UInt32: Share] = [:]
    /// Whose keys the open transaction has added to.
    private var touched: Set<UInt32> = []

    init(keysPerUser: Int = EngineLimits.idempotencyKeysPerUser) {
        self.keysPerUser = Int64(keysPerUser)
    }

    /// What is kept beside a key; `nil` for a key that is not kept.
    static func kept(for key: IdempotencyKey, _ connection: Connection) throws(StoreError) -> KeptResult? {
        guard let row = try connection.first(selectResult, key.userID, key.bytes) else { return nil }
        return try KeptResult(fingerprint: row.integer(0), kind: row.integer(1), bytes: row.borrowedBytes(2))
    }

    mutating func keep(
        _ result: MutationResult, for key: IdempotencyKey, _ connection: Connection
    ) throws(StoreError) {
        let (kind, bytes) = MutationResultCodec.encode(result)
        var share = if let known = shares[key.userID] { known } else { try load(key.userID, connection) }
        share.position += Int64(1 + bytes.count / Self.answerBytesPerKey)
        share.added += 1
        try connection.run(
            Self.insertKey, key.userID, key.bytes, share.position, Int64(bitPattern: key.content.value),
            Int64(kind.rawValue), bytes)
        shares[key.userID] = share
        touched.insert(key.userID)
    }

    /// Deletes some of what has expired, as the last work of a transaction: no commit pays for a big clean-up.
    mutating func trim(_ connection: Connection) throws(StoreError) {
        for user in touched {
            guard var share = shares[user] else { continue }
            if share.position > keysPerUser {
                try walk(&share, of: user, connection)
            }
            share.added = 0
            shares[user] = share
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// Forgets what is known of a store that is not open any more, or has no keys any more.
    mutating func forget() {
        shares.removeAll()
        touched.removeAll()
    }

    /// At a user's first key since the store was opened. What the walk had not come to goes now, so that the table
    /// stays bounded however often the daemon starts.
    private func load(_ user: UInt32, _ connection: Connection) throws(StoreError) -> Share {
        let position = try connection.first(Self.selectPosition, user)?.integer(0) ?? 0
        guard (0...Int64.max / 2).contains(position) else {
            throw .databaseDamaged("an idempotency key has a position that cannot be")
        }
        if position > keysPerUser {
            try connection.run(Self.deleteThrough, user, position - keysPerUser - 1)
        }
        return Share(position: position)
    }

    private func walk(_ share: inout Share, of user: UInt32, _ connection: Connection) throws(StoreError) {
        for key in try expired(&share, of: user, connection) {
            try connection.run(Self.deleteKey, user, key)
        }
    }

    private func expired(
        _ share: inout Share, of user: UInt32, _ connection: Connection
    ) throws(StoreError) -> [[UInt8]] {
        let rowsMax = share.added * Self.rowsPerKey
        let rows = try connection.rows(Self.nextKeys, user, share.walkedTo, rowsMax)
        var expired: [[UInt8]] = []
        var seen = 0
        while try rows.next() {
            seen += 1
            share.walkedTo = rows.bytes(0)
            if share.position - max(0, rows.integer(1)) > keysPerUser {
                expired.append(share.walkedTo)
            }
        }
        if seen < rowsMax {
            share.walkedTo = []
        }
        return expired
    }

    private static let selectResult = StatementText(
        "SELECT fingerprint, result_kind, result FROM idempotency_keys WHERE user = ?1 AND key = ?2")
    private static let insertKey = StatementText(
        """
        INSERT INTO idempotency_keys (user, key, position, fingerprint, result_kind, result)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
    private static let selectPosition = StatementText("SELECT max(position) FROM idempotency_keys WHERE user = ?1")
    private static let nextKeys = StatementText(
        "SELECT key, position FROM idempotency_keys WHERE user = ?1 AND key > ?2 ORDER BY key LIMIT ?3")
    private static let deleteKey = StatementText("DELETE FROM idempotency_keys WHERE user = ?1 AND key = ?2")
    private static let deleteThrough = StatementText("DELETE FROM idempotency_keys WHERE user = ?1 AND position <= ?2")
}

/// What is kept beside an idempotency key.
struct KeptResult: Equatable {
    let fingerprint: RequestFingerprint
    let result: MutationResult

    /// - Throws: `.databaseDamaged` for what `KeptKeys` cannot have written.
    init(fingerprint: Int64, kind: Int64, bytes: UnsafeRawBufferPointer) throws(StoreError) {
        let kind = UInt8(exactly: kind).flatMap(MutationResultCodec.Kind.init(rawValue:))
        guard let kind, let result = MutationResultCodec.decode(kind, bytes) else {
            throw .databaseDamaged("a kept answer makes no sense")
        }
        self.fingerprint = RequestFingerprint(value: UInt64(bitPattern: fingerprint))
        self.result = result
    }
}
