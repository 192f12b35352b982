import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Stores large contents while they are received. The pieces received so far, without a gap, form a content of the
/// vault, and its row has the length of these pieces. The next piece is appended to it, also after a restart.
extension ReplicaContents {
    func stage(
        _ piece: ContentPieceRecord, _ digest: AttachmentDigest, _ merge: inout ReplicaMergeStep
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
                // Ignore a piece whose earlier pieces are missing: the content is requested later, or published again
                // from the start.
                guard piece.offset == 0 else { return }
                staged = try begin(piece, digest, of: merge.device)
            }
        } catch {
            guard error.reason == .fileDamaged, let staged else { throw error }
            try dropStaged(staged)
            return
        }
        guard piece.isLast, let staged, let stored = try stagedContent(staged) else { return }
        let vault = replica.vault
        let running = vault.digest(of: staged.content, stored.generation)
        // If the running digest lacks pieces, because some were received before a restart, the content is read and
        // checked before the next batch is made.
        guard running.byteCount == staged.byteCount else { return }
        vault.forgetDigest(of: staged.content)
        if try !acceptStaged(staged, stored, running.finish(), sequence: merge.sequence, &merge.states) {
            merge.refusedContentCount += 1
        }
    }

    private func begin(
        _ piece: ContentPieceRecord, _ digest: AttachmentDigest, of device: UInt64
    ) throws(StoreError) -> StagedContentRows.Row {
        try dropOldestStaged(of: device)
        let vault = replica.vault
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
        try StagedContentRows.insert(row, at: areas.expiries.ageAsTime, connection)
        return row
    }

    /// Appends a piece to a content that is being received.
    ///
    /// - Returns: False if the piece is already there or follows a gap, if the vault does not have the content, or if
    ///   the length of the content is out of range.
    private func append(
        _ piece: ContentPieceRecord, to staged: StagedContentRows.Row
    ) throws(StoreError) -> Bool {
        guard let stored = try stagedContent(staged), piece.offset == stored.byteCount else { return false }
        let vault = replica.vault
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
            // The running digest lacks pieces that were received before a restart or in a step that was rolled back.
            vault.forgetDigest(of: staged.content)
        }
        try StagedContentRows.setChanged(staged.content, at: areas.expiries.ageAsTime, connection)
        return true
    }

    /// Returns the run of chunks for a content without gaps: the slot of each chunk has the chunk's number.
    private static func run(of byteCount: UInt64, _ generation: UInt64) -> ChunkRun? {
        let layout = ChunkLayout(byteCount: byteCount, chunkBytes: Int(VaultContent.chunkBytes))
        return ChunkRun(chunks: 0..<layout.chunkCount, firstSlot: 0, generation: generation)
    }

    private func stagedContent(_ staged: StagedContentRows.Row) throws(StoreError) -> VaultContent? {
        guard case .vault(let stored) = try FileContents.place(of: staged.content, connection) else { return nil }
        return stored
    }

    /// Accepts a content that was received completely.
    ///
    /// - Returns: False if its digest is not the announced one; the content is then deleted.
    private func acceptStaged(
        _ staged: StagedContentRows.Row, _ stored: VaultContent, _ digest: AttachmentDigest, sequence: UInt64,
        _ states: inout ReplicaStates
    ) throws(StoreError) -> Bool {
        guard digest == staged.digest else {
            try dropStaged(staged)
            return false
        }
        let known = try AttachmentContents.find(digest, connection)?.stored
        if known == nil {
            try StagedContentRows.delete(staged.content, connection)
            try link(digest, staged.content)
        } else {
            // Attachments already have the content, or an application has written it here in the meantime.
            try dropStaged(staged)
        }
        if known == nil || known == staged.content {
            // Make background maintenance examine the content's file after the commit, because steps that were rolled
            // back may have left data in it.
            areas.contents.releasedContents.append(stored.header.id)
        }
        try contentHasCome(digest, from: staged.device, sequence, &states)
        return true
    }

    func dropStaged(_ staged: StagedContentRows.Row) throws(StoreError) {
        replica.vault.forgetDigest(of: staged.content)
        try StagedContentRows.delete(staged.content, connection)
        try areas.contents.release(staged.content)
    }

    private func dropOldestStaged(of device: UInt64) throws(StoreError) {
        while let oldest = try StagedContentRows.oldest(of: device, besides: Self.stagedContentsMax, connection) {
            try dropStaged(oldest)
        }
    }

    /// Checks the digests of contents that were received completely, but partly before a restart. Drops incomplete
    /// contents that no device continues.
    ///
    /// - Returns: True if no digest is left to check.
    func maintainStagedContents(_ states: inout ReplicaStates) throws(StoreError) -> Bool {
        while let staged = try StagedContentRows.whole(connection) {
            guard let stored = try stagedContent(staged) else { throw ReplicaTables.damaged }
            switch try replicaDigest(of: stored) {
            case .unfinished: return false
            case .unreadable: try dropStaged(staged)
            case .whole(let digest):
                let sequence = try ReplicaMemberRows.mergedSequence(of: staged.device, connection)
                _ = try acceptStaged(staged, stored, digest, sequence: sequence, &states)
            }
        }
        let end = areas.expiries.ageAsTime.advanced(byMicroseconds: -EngineLimits.restoredAttachmentGraceMicroseconds)
        while let staged = try StagedContentRows.unchanged(since: end, connection) {
            try dropStaged(staged)
        }
        return true
    }

    /// The most incomplete contents of one device. A device publishes one content after the other, so two or three are
    /// usual.
    private static var stagedContentsMax: Int { 16 }
}
