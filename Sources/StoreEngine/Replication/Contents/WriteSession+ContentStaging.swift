import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Large contents on their way here: as much of each as has come without a gap is a content of the vault whose row
/// counts just that, and goes on with the next piece, also after a restart.
extension WriteSession {
    mutating func stage(
        _ piece: ContentPieceRecord, _ digest: AttachmentDigest, _ merge: inout ReplicaMerge
    ) throws(StoreError) {
        var staged = try StagedContentRows.find(digest, of: merge.device, connection)
        if let known = staged, known.byteCount != piece.byteCount {
            try dropStaged(known)
            staged = nil
        }
        do throws(StoreError) {
            if let staged {
                guard try append(piece, to: staged) else { return }
            } else {
                // What came before a gap is asked for, or told from the start again.
                guard piece.offset == 0 else { return }
                staged = try begin(piece, digest, of: merge.device)
            }
        } catch {
            guard error.reason == .fileDamaged, let staged else { throw error }
            try dropStaged(staged)
            return
        }
        guard piece.isLast, let staged, let stored = try stagedContent(staged) else { return }
        let vault = try openVault()
        let running = vault.digest(of: staged.content, stored.generation)
        // Else it has come over a restart, and is read before the next batch is made.
        guard running.byteCount == staged.byteCount else { return }
        vault.forgetDigest(of: staged.content)
        if try !settle(staged, stored, running.finish(), sequence: merge.sequence, &merge.states) {
            merge.refusedContentCount += 1
        }
    }

    private mutating func begin(
        _ piece: ContentPieceRecord, _ digest: AttachmentDigest, of device: UInt64
    ) throws(StoreError) -> StagedContentRows.Row {
        try dropOldestStaged(of: device)
        let vault = try openVault()
        let header = ContentHeader(
            id: try mappedKeys(.random()), cipher: try mappedKeys(.fastest()), chunkBytes: VaultContent.chunkBytes)
        let key = SharedContentKey(try mappedKeys(.generate()))
        let generation = ContentTarget.newGeneration()
        try vault.begin(header, key)
        try vault.write(piece.bytes, from: 0, of: header, key, generation)
        let number = try AttachmentContents.nextNumber(connection)
        let runs = Self.run(of: UInt64(piece.bytes.count), generation).map { [$0] } ?? []
        try FileContents.insert(
            NewContent(
                header: header, key: key, generation: generation, byteCount: UInt64(piece.bytes.count), runs: runs),
            number: number, connection)
        vault.digest(of: number, generation).update(piece.bytes)
        let row = StagedContentRows.Row(
            content: number, digest: digest, device: device, byteCount: piece.byteCount)
        try StagedContentRows.insert(row, at: now, connection)
        return row
    }

    /// - Returns: false for what is there already, and for what comes behind a gap.
    private func append(
        _ piece: ContentPieceRecord, to staged: StagedContentRows.Row
    ) throws(StoreError) -> Bool {
        guard let stored = try stagedContent(staged), piece.offset == stored.byteCount else { return false }
        let vault = try openVault()
        let chunk = piece.offset / UInt64(stored.header.chunkBytes)
        try vault.write(piece.bytes, from: chunk, of: stored.header, stored.key, stored.generation)
        let end = piece.offset + UInt64(piece.bytes.count)
        guard let before = Self.run(of: stored.byteCount, stored.generation),
            let after = Self.run(of: end, stored.generation)
        else { return false }
        try FileContents.rewrite(
            RewrittenContent(
                number: staged.content, generation: stored.generation, byteCount: end, removedRuns: [before],
                insertedRuns: [after], freedSlots: [], chunksSealed: UInt64(after.chunks.count - before.chunks.count)),
            connection)
        let running = vault.digest(of: staged.content, stored.generation)
        if running.byteCount == piece.offset {
            running.update(piece.bytes)
        } else {
            // It goes on behind a restart, or behind a step that was not committed.
            vault.forgetDigest(of: staged.content)
        }
        try StagedContentRows.setChanged(staged.content, at: now, connection)
        return true
    }

    /// Each chunk in the slot of its number.
    private static func run(of byteCount: UInt64, _ generation: UInt64) -> ChunkRun? {
        let layout = ChunkLayout(byteCount: byteCount, chunkBytes: Int(VaultContent.chunkBytes))
        return ChunkRun(chunks: 0..<layout.chunkCount, firstSlot: 0, generation: generation)
    }

    private func stagedContent(_ staged: StagedContentRows.Row) throws(StoreError) -> VaultContent? {
        guard case .vault(let stored) = try FileContents.place(of: staged.content, connection) else { return nil }
        return stored
    }

    /// All of it has come.
    ///
    /// - Returns: false where it is not what was told, and is gone.
    private mutating func settle(
        _ staged: StagedContentRows.Row, _ stored: VaultContent, _ digest: AttachmentDigest, sequence: UInt64,
        _ states: inout ReplicaStates
    ) throws(StoreError) -> Bool {
        guard digest == staged.digest else {
            try dropStaged(staged)
            return false
        }
        if try AttachmentContents.find(digest, connection)?.stored == nil {
            try StagedContentRows.delete(staged.content, connection)
            try link(digest, staged.content)
            // What was written to its file in vain is looked for behind the commit.
            releasedContents.append(stored.header.id)
        } else {
            // An application has written it here meanwhile.
            try dropStaged(staged)
        }
        try contentHasCome(digest, from: staged.device, sequence, &states)
        return true
    }

    mutating func dropStaged(_ staged: StagedContentRows.Row) throws(StoreError) {
        vault?.forgetDigest(of: staged.content)
        try StagedContentRows.delete(staged.content, connection)
        try release(staged.content)
    }

    private mutating func dropOldestStaged(of device: UInt64) throws(StoreError) {
        while let oldest = try StagedContentRows.oldest(of: device, besides: Self.stagedContentsMax, connection) {
            try dropStaged(oldest)
        }
    }

    /// Reads those that have come as a whole over a restart, and drops those that nobody goes on with.
    ///
    /// - Returns: whether nothing is left to be read.
    mutating func lookAfterStaged(_ states: inout ReplicaStates) throws(StoreError) -> Bool {
        while let staged = try StagedContentRows.whole(connection) {
            guard let stored = try stagedContent(staged) else { throw ReplicaTables.damaged }
            switch try replicaDigest(of: stored) {
            case .unfinished: return false
            case .unreadable: try dropStaged(staged)
            case .whole(let digest):
                let sequence = try ReplicaMemberRows.mergedSequence(of: staged.device, connection)
                _ = try settle(staged, stored, digest, sequence: sequence, &states)
            }
        }
        let end = now.advanced(byMicroseconds: -EngineLimits.restoredAttachmentGraceMicroseconds)
        while let staged = try StagedContentRows.unchanged(since: end, connection) {
            try dropStaged(staged)
        }
        return true
    }

    /// Of one device at a time: who tells one content after the other has two or three on the way.
    private static var stagedContentsMax: Int { 16 }
}

/// The rows of `replica_staged_contents`.
enum StagedContentRows {
    struct Row {
        let content: Int64
        let digest: AttachmentDigest
        let device: UInt64
        /// Of the whole content, as its device has told.
        let byteCount: UInt64

        init(content: Int64, digest: AttachmentDigest, device: UInt64, byteCount: UInt64) {
            self.content = content
            self.digest = digest
            self.device = device
            self.byteCount = byteCount
        }

        fileprivate init(_ row: borrowing Rows) {
            content = row.integer(0)
            digest = AttachmentDigest(trusted: row.bytes(1))
            device = row.device(2)
            byteCount = row.unsigned(3)
        }
    }

    static func insert(_ row: Row, at time: Timestamp, _ connection: Connection) throws(StoreError) {
        try connection.run(
            insert, row.content, row.digest.bytes, DeviceColumn(row.device), row.byteCount, time)
    }

    static func setChanged(_ content: Int64, at time: Timestamp, _ connection: Connection) throws(StoreError) {
        try connection.run(update, content, time)
    }

    static func delete(_ content: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, content)
    }

    static func find(
        _ digest: AttachmentDigest, of device: UInt64, _ connection: Connection
    ) throws(StoreError) -> Row? {
        try row(connection.first(byDevice, digest.bytes, DeviceColumn(device)))
    }

    static func all(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> [Row] {
        let rows = try connection.rows(byDigest, digest.bytes)
        var found: [Row] = []
        while try rows.next() {
            found.append(Row(rows))
        }
        return found
    }

    /// One of which all has come.
    static func whole(_ connection: Connection) throws(StoreError) -> Row? {
        try row(connection.first(firstWhole))
    }

    static func unchanged(since time: Timestamp, _ connection: Connection) throws(StoreError) -> Row? {
        try row(connection.first(firstUnchanged, time))
    }

    /// The first of a device that has so many behind it.
    static func oldest(of device: UInt64, besides count: Int, _ connection: Connection) throws(StoreError) -> Row? {
        try row(connection.first(behindNewest, DeviceColumn(device), count - 1))
    }

    static func isThere(_ content: Int64, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(byContent, content) != nil
    }

    private static func row(_ found: consuming Rows?) -> Row? {
        guard let row = found else { return nil }
        return Row(row)
    }

    private static let byContent = StatementText("SELECT 1 FROM replica_staged_contents WHERE content = ?1")
    private static let columns = "s.content, s.digest, s.device, s.byte_count FROM replica_staged_contents AS s"
    private static let insert = StatementText("INSERT INTO replica_staged_contents VALUES (?1, ?2, ?3, ?4, ?5)")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_staged_contents SET changed_at = ?2 WHERE content = ?1")
    private static let delete = StatementText("DELETE FROM replica_staged_contents WHERE content = ?1")
    private static let byDevice = StatementText("SELECT \(columns) WHERE s.digest = ?1 AND s.device = ?2")
    private static let byDigest = StatementText("SELECT \(columns) WHERE s.digest = ?1")
    private static let firstWhole = StatementText(
        """
        SELECT \(columns) CROSS JOIN file_contents AS c ON c.number = s.content
        WHERE c.byte_count = s.byte_count LIMIT 1
        """)
    private static let firstUnchanged = StatementText("SELECT \(columns) WHERE s.changed_at < ?1 LIMIT 1")
    private static let behindNewest = StatementText(
        "SELECT \(columns) WHERE s.device = ?1 ORDER BY s.content DESC LIMIT 1 OFFSET ?2")
}
