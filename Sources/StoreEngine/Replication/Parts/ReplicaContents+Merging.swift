import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Merges pieces of contents. A received content becomes a content of attachments. It is kept for a limited time even
/// if no attachment uses it, because the records that need it follow.
extension ReplicaContents {
    func mergePiece(_ piece: ContentPieceRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        let digest = try AttachmentDigest(piece.digest)
        guard try contentNumber(digest) == nil else {
            if let staged = try StagedContentRows.find(digest, of: merge.device, connection) {
                try dropStaged(staged)
            }
            try linkAwaitedContent(digest)
            guard piece.isLast else { return }
            try recordContentPublished(digest, by: merge.device, merge.sequence)
            // A device that knows only the digest of a content can publish a false last piece. Therefore the
            // publication is recorded only if the content was published before, if a record refers to it, or if the
            // piece is the whole content. Later requests for a content are answered only if its publication is
            // recorded.
            if try ReplicaContentRows.isThere(digest, connection) || piece.isWhole {
                try ReplicaContentRows.write(digest, merge.device, merge.sequence, connection)
            }
            return
        }
        guard piece.byteCount > UInt64(EngineLimits.inlineFileBytesMax) else {
            return try mergeWhole(piece, digest, &merge)
        }
        try stage(piece, digest, &merge)
    }

    /// Merges a content that is small enough to be stored in the database.
    private func mergeWhole(
        _ piece: ContentPieceRecord, _ digest: AttachmentDigest, _ merge: inout ReplicaMergeStep
    ) throws(StoreError) {
        guard piece.isWhole else {
            merge.refusedContentCount += 1
            return
        }
        _ = try areas.attachments.keep(
            digest, byteCount: piece.byteCount, for: EngineLimits.restoredAttachmentGraceMicroseconds
        ) { (number, connection) throws(StoreError) in
            try FileContents.insert(piece.bytes, number: number, connection)
        }
        try contentHasCome(digest, from: merge.device, merge.sequence, &merge.states)
    }

    func mergeNotice(_ notice: ContentNoticeRecord, _ merge: ReplicaMergeStep) throws(StoreError) {
        let digest = try AttachmentDigest(notice.digest)
        guard try contentNumber(digest) == nil else {
            return try recordContentPublished(digest, by: notice.device, notice.sequence)
        }
        guard try !isEvicted(digest) else { return }
        try MissingContentRows.write(
            MissingContentRows.Row(
                digest: digest, device: notice.device, sequence: notice.sequence, holder: merge.device,
                namedIn: merge.batchSequence), at: now, connection)
    }

    /// Merges a request for a content. The content is published again only if the group already received it or merged
    /// data refers to it, and not again for the same device within `ReplicaTimes.askingAgain`. Knowing a digest gives
    /// no right to the content.
    func mergeRequest(_ request: ContentRequestRecord, _ merge: ReplicaMergeStep) throws(StoreError) {
        let digest = try AttachmentDigest(request.digest)
        guard request.device == merge.ownDevice, let number = try contentNumber(digest) else { return }
        if let missing = try MissingContentRows.find(digest, connection) {
            try resolveMissing(missing, merge.ownDevice)
        }
        guard try ReplicaContentRows.beginAnswer(digest, to: merge.device, at: now, connection) else { return }
        let byteCount = try FileContents.byteCount(of: number, connection)
        try UnsentContentRows.insert(digest, byteCount: byteCount, isAgain: true, connection)
    }

    /// Puts a complete content into the files that wait for it.
    func contentHasCome(
        _ digest: AttachmentDigest, from device: UInt64, _ sequence: UInt64, _ states: inout ReplicaStates
    ) throws(StoreError) {
        try ReplicaContentRows.write(digest, device, sequence, connection)
        try MissingContentRows.delete(digest, connection)
        for staged in try StagedContentRows.all(digest, connection) {
            try dropStaged(staged)
        }
        try replica.files.placeWantedFiles(of: digest, &states)
    }
}

extension ContentPieceRecord {
    /// True if this piece alone is the content that has this digest.
    fileprivate var isWhole: Bool {
        guard offset == 0, isLast else { return false }
        var computed = ContentDigest()
        computed.update(bytes)
        return computed.finish() == digest
    }
}
