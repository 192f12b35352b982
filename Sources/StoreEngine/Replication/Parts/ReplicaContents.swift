import ReplicaModel
import SQLCipher
import StoreBasics

/// The order in which records and the contents that they name are published, if the contents are not published yet.
enum ReplicaOrder {
    /// Contents first, so that a device that merges the records has them already.
    case contentsFirst
    /// Records first, because another device's batch waits to be merged and publishing the contents may take long.
    case recordsFirst
}

/// The part of replication that publishes the contents of files and attachments and stores received ones.
struct ReplicaContents: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Publishes the contents that records name. Each content is published once, and again only if a device requests it.
extension ReplicaContents {
    /// Publishes the contents of a message or a draft.
    ///
    /// - Returns: False if the contents must be published before the record, and some of them are not published yet.
    func publishContents(
        of attachments: [NewAttachment], _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        for attachment in attachments {
            try announce(attachment.digest, &collector)
        }
        guard order == .contentsFirst, !attachments.isEmpty else { return true }
        return try publishContents(&collector, orAgain: false)
    }

    /// Queues a content to be published, or adds a notice if the group already received it. A content that this store
    /// lacks is recorded as missing: it is requested, and is published when it arrives. It is not requested if the
    /// group already received it and applications can fetch it again.
    func announce(
        _ digest: AttachmentDigest, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        guard !collector.isSilent, collector.beginContent(digest) else { return }
        try linkAwaitedContent(digest)
        let number = try contentNumber(digest)
        let publication = try ReplicaContentRows.publication(digest, connection)
        if let publication {
            collector.add(
                .contentNotice(
                    ContentNoticeRecord(
                        digest: digest.bytes, device: publication.device, sequence: publication.sequence)))
        } else if let number {
            let byteCount = try FileContents.byteCount(of: number, connection)
            try UnsentContentRows.insert(digest, byteCount: byteCount, connection)
        }
        guard number == nil else { return }
        if publication != nil, try AttachmentContents.canBeFetchedAgain(digest, connection) { return }
        try recordMissing(digest, named: collector.device, in: 0)
    }

    /// Publishes contents of the queue, as much as fits in the batch.
    ///
    /// - Parameter isAgain: True to include contents that are published again for devices that lack them or may lack
    ///   them.
    /// - Returns: True if no contents are left to publish.
    func publishContents(_ collector: inout ReplicaCollector, orAgain isAgain: Bool) throws(StoreError) -> Bool {
        while let unsent = try UnsentContentRows.first(orAgain: isAgain, connection) {
            guard collector.payload.count < ReplicaCollecting.replicaBatchBytes,
                collector.payload.isEmpty || !slice.isOver
            else { return false }
            guard let bytes = try nextPiece(of: unsent) else {
                // The content was deleted, usually with what named it, or cannot be read. If it comes back, it is
                // published then.
                try UnsentContentRows.delete(unsent.number, connection)
                if try contentNumber(unsent.digest) == nil,
                    try ReplicaContentRows.publication(unsent.digest, connection) == nil
                {
                    try recordMissing(unsent.digest, named: collector.device, in: 0)
                }
                continue
            }
            let piece = ContentPieceRecord(
                digest: unsent.digest.bytes, byteCount: unsent.byteCount, offset: unsent.publishedBytes, bytes: bytes)
            collector.add(.contentPiece(piece))
            guard piece.isLast else {
                try UnsentContentRows.setPublishedBytes(
                    unsent.publishedBytes + UInt64(bytes.count), of: unsent.number, connection)
                continue
            }
            try UnsentContentRows.delete(unsent.number, connection)
            try ReplicaContentRows.write(unsent.digest, collector.device, collector.sequence, connection)
            // A device that could not keep the pieces can request the content by this notice.
            collector.add(
                .contentNotice(
                    ContentNoticeRecord(
                        digest: unsent.digest.bytes, device: collector.device, sequence: collector.sequence)))
        }
        return true
    }

    /// - Returns: `nil` if the content was changed or deleted, or cannot be read.
    private func nextPiece(of unsent: UnsentContentRows.Row) throws(StoreError) -> [UInt8]? {
        guard let number = try contentNumber(unsent.digest), unsent.publishedBytes <= unsent.byteCount else {
            return nil
        }
        let left = unsent.byteCount - unsent.publishedBytes
        let range = unsent.publishedBytes..<(unsent.publishedBytes + min(left, UInt64(ContentPieceRecord.bytesMax)))
        do throws(StoreError) {
            let bytes: [UInt8]
            switch try FileContents.place(of: number, connection) {
            case .database: bytes = try FileContents.bytes(of: number, range, connection)
            case .vault(let stored):
                guard stored.byteCount == unsent.byteCount else { return nil }
                bytes = try replica.vault.read(range, of: stored, connection)
            }
            return bytes.count == range.count ? bytes : nil
        } catch {
            guard error.reason == .fileDamaged else { throw error }
            return nil
        }
    }
}
