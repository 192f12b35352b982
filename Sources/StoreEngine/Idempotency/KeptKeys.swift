import SQLCipher
import StoreBasics

/// The idempotency keys of each user, with the answers to their requests. A key is kept until the same user has given
/// `EngineLimits.idempotencyKeysPerUser` further keys. Neither the keys of other users nor a clock can remove it. A
/// large answer counts as several keys, so that the size of a user's answers is limited too. Expired keys are found by
/// a walk over the keys of each user, which continues with every commit that adds keys.
///
/// Each key has a position among the keys of its user. The newest position is not stored separately, because it is the
/// greatest one among the stored keys; so no commit has to write a page of counters. After the store was opened, a
/// user's first write with a key causes a search for the newest position, which takes several steps if there are many
/// keys.
struct KeptKeys {
    private struct Share {
        var position: Int64
        /// The last of the user's keys that the walk for expired keys has visited.
        var walkedTo: [UInt8]
        /// The number of keys that were added since the walk last continued.
        var added = 0
        /// The number of rows that the walk still has to visit because of the added keys.
        var owedRows = 0
    }

    /// The search for the greatest position of a user.
    private struct Search {
        var position: Int64 = 0
        var seenTo: [UInt8] = []
        var seenCount = 0
        /// A random one of the visited keys, each with the same probability. The walk begins there, so that it reaches
        /// all keys however often the daemon starts.
        var anyKey: [UInt8] = []

        mutating func see(_ key: [UInt8], position: Int64) {
            self.position = max(self.position, position)
            seenTo = key
            seenCount += 1
            if Int.random(in: 0..<seenCount) == 0 {
                anyKey = key
            }
        }
    }

    /// The number of rows that the walk visits for each new position. A new position lets at most one row expire.
    private static let rowsPerPosition = 4
    /// The bytes of an answer that count as one more key.
    private static let answerBytesPerKey = 1_024
    /// The number of rows between two checks of the time.
    private static let rowsPerLook = 64

    private let keysPerUser: Int64
    private var shares: [UInt32: Share] = [:]
    private var searches: [UInt32: Search] = [:]
    /// The users for whom the open transaction has added keys.
    private var touched: Set<UInt32> = []

    init(keysPerUser: Int = EngineLimits.idempotencyKeysPerUser) {
        self.keysPerUser = Int64(keysPerUser)
    }

    /// The newest position of each user whose position is known.
    var positions: [UInt32: Int64] { shares.mapValues(\.position) }

    /// Returns the result stored with a key; `nil` for an unknown key.
    static func kept(for key: IdempotencyKey, _ connection: Connection) throws(StoreError) -> KeptResult? {
        guard let row = try connection.first(selectResult, key.userID, key.bytes) else { return nil }
        return try KeptResult(fingerprint: row.integer(0), kind: row.integer(1), bytes: row.borrowedBytes(2))
    }

    /// Searches for the newest position of a user, as far as time allows.
    ///
    /// - Returns: True if the position is known now, so that keys of the user can be added.
    mutating func findPosition(
        of user: UInt32, _ slice: WorkSlice, _ connection: Connection
    ) throws(StoreError) -> Bool {
        guard shares[user] == nil else { return true }
        var search = searches[user] ?? Search()
        let rows = try connection.rows(Self.keysAfter, user, search.seenTo)
        while try rows.next() {
            search.see(rows.bytes(0), position: try rows.count(1))
            if search.seenCount % Self.rowsPerLook == 0, slice.isOver {
                searches[user] = search
                return false
            }
        }
        searches[user] = nil
        shares[user] = Share(position: search.position, walkedTo: search.anyKey)
        return true
    }

    /// Stores a result with the key of a user whose position is known.
    mutating func keep(
        _ result: MutationResult, for key: IdempotencyKey, _ connection: Connection
    ) throws(StoreError) {
        guard var share = shares[key.userID] else {
            throw .fault("an idempotency key is missing in the list of its user")
        }
        let (kind, bytes) = MutationResultCodec.encode(result)
        let positions = 1 + bytes.count / Self.answerBytesPerKey
        share.position += Int64(positions)
        share.added += 1
        share.owedRows += positions * Self.rowsPerPosition
        try connection.run(
            Self.insertKey, key.userID, key.bytes, share.position, Int64(bitPattern: key.content.value),
            Int64(kind.rawValue), bytes)
        shares[key.userID] = share
        touched.insert(key.userID)
    }

    /// Deletes some of the expired keys, as the last work of a transaction. So no single commit has to delete many.
    mutating func trim(_ connection: Connection) throws(StoreError) {
        for user in touched {
            guard var share = shares[user] else { continue }
            if share.position > keysPerUser {
                try walk(&share, of: user, connection)
            } else {
                share.owedRows = 0
            }
            share.added = 0
            shares[user] = share
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// Forgets all keys, after they were deleted.
    mutating func startOver() {
        shares = shares.mapValues { _ in Share(position: 0, walkedTo: []) }
        searches.removeAll()
        touched.removeAll()
    }

    /// Forgets the state of a store that is not open any more.
    mutating func forget() {
        shares.removeAll()
        searches.removeAll()
        touched.removeAll()
    }

    private func walk(_ share: inout Share, of user: UInt32, _ connection: Connection) throws(StoreError) {
        for key in try expired(&share, of: user, connection) {
            try connection.run(Self.deleteKey, user, key)
        }
    }

    /// Returns the expired keys among the next rows of the walk. The walk visits more rows than the new keys can let
    /// expire, so that expired keys always remain a small part of all keys. If one commit has no time for all owed
    /// rows, the next one continues.
    private func expired(
        _ share: inout Share, of user: UInt32, _ connection: Connection
    ) throws(StoreError) -> [[UInt8]] {
        let rowsMax = min(share.owedRows, max(EngineLimits.stepRowsMax, share.added * Self.rowsPerPosition))
        let rows = try connection.rows(Self.nextKeys, user, share.walkedTo, rowsMax)
        var expired: [[UInt8]] = []
        var expiredBytes = 0
        var seen = 0
        while expiredBytes < EngineLimits.stepBytesMax {
            guard try rows.next() else {
                if seen < rowsMax {
                    // The walk has reached the last row, so it owes nothing more, and begins again with the first row.
                    share.walkedTo = []
                    share.owedRows = 0
                }
                return expired
            }
            seen += 1
            share.owedRows -= 1
            share.walkedTo = rows.bytes(0)
            if share.position - max(0, rows.integer(1)) > keysPerUser {
                expired.append(share.walkedTo)
                expiredBytes += rows.int(2)
            }
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
    private static let keysAfter = StatementText(
        "SELECT key, position FROM idempotency_keys WHERE user = ?1 AND key > ?2 ORDER BY key")
    private static let nextKeys = StatementText(
        """
        SELECT key, position, length(result) FROM idempotency_keys WHERE user = ?1 AND key > ?2 ORDER BY key LIMIT ?3
        """)
    private static let deleteKey = StatementText("DELETE FROM idempotency_keys WHERE user = ?1 AND key = ?2")
}

/// The stored keys as the open transaction leaves them, and as the last commit left them.
final class KeptKeyCache: TransactionCache {
    private var committedKeys = KeptKeys()
    var keys = KeptKeys()

    /// Sets the keys as both the current and the committed state.
    func begin(with keys: KeptKeys) {
        self.keys = keys
        committedKeys = keys
    }

    func committed() {
        committedKeys = keys
    }

    func rolledBack(_ extent: RollbackExtent) {
        keys = committedKeys
    }

    func closed() {
        keys.forget()
        begin(with: keys)
    }
}

/// The result stored with an idempotency key.
struct KeptResult: Equatable {
    let fingerprint: RequestFingerprint
    let result: MutationResult

    /// - Throws: `.databaseDamaged` for values that `KeptKeys` cannot have written.
    init(fingerprint: Int64, kind: Int64, bytes: UnsafeRawBufferPointer) throws(StoreError) {
        let kind = UInt8(exactly: kind).flatMap(MutationResultCodec.Kind.init(rawValue:))
        guard let kind, let result = MutationResultCodec.decode(kind, bytes) else {
            throw .databaseDamaged("a stored answer is invalid")
        }
        self.fingerprint = RequestFingerprint(value: UInt64(bitPattern: fingerprint))
        self.result = result
    }
}
