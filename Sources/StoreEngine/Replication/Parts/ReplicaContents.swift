import ReplicaModel
import SQLCipher
import StoreBasics

/// The order in which records and the small contents to which they refer are published, if the contents are not
/// published yet. Large contents come after all changes, a few pieces at a time, so that no change waits for them.
enum ReplicaOrder {
    /// Small contents first, so that a device that merges the records has them already.
    case contentsFirst
    /// Records first, because another device's batch waits to be merged.
    case recordsFirst
}

/// The part of replication that publishes the contents of files and attachments and stores received ones.
struct ReplicaContents: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Publishes the contents to which records refer. Each content is published once, and again only if a device requests
/// it.
extension ReplicaContents {
    /// Publishes the small contents of a message or a draft, and queues the large ones.
    ///
    /// - Returns: False if the contents must be published before the record, and some of them are not published yet.
    func publishContents(
        of attachments: [NewAttachment], _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        for attachment in attachments {
            try announce(attachment.digest, &collector)
        }
        guard order == .contentsFirst, !attachments.isEmpty else { return true }
        return try publishSmallContents(&collector)
    }

    /// Publishes the queued contents that are small enough to be published before the records that refer to them.
    ///
    /// - Returns: True if no such contents are left.
    func publishSmallContents(_ collector: inout ReplicaCollector) throws(StoreError) -> Bool {
        try publishContents(&collector, orAgain: false, bytesMax: Self.smallBytesMax)
    }

    /// Publishes pieces of any contents, unless many bytes wait for the stream already: a change that is made meanwhile
    /// has to wait for these bytes.
    ///
    /// - Returns: True if no contents are left, or enough pieces wait.
    func publishPieces(_ collector: inout ReplicaCollector) throws(StoreError) -> Bool {
        let waiting = try ReplicaOutgoingRows.bytes(of: .device(collector.device), connection)
        guard waiting < Self.waitingPieceBytesMax else { return true }
        return try publishContents(&collector, orAgain: true, bytesMax: UInt64(Int64.max))
    }

    /// Returns whether a message's record has to wait until large contents of the message are published.
    func isAwaited(by attachments: [NewAttachment]) throws(StoreError) -> Bool {
        for attachment in attachments where attachment.byteCount > Self.smallBytesMax {
            if try UnsentContentRows.isNew(attachment.digest, connection) { return true }
        }
        return false
    }

    /// The most bytes of a content that is published before the records that refer to it.
    private static var smallBytesMax: UInt64 { 256 << 10 }
    /// While more bytes than this wait for the stream, no more pieces of contents are made.
    private static var waitingPieceBytesMax: UInt64 { 256 << 10 }

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
    /// - Parameters:
    ///   - isAgain: True to include contents that are published again for devices that lack them or may lack them.
    ///   - bytesMax: The most bytes of a content that is published.
    /// - Returns: True if no such contents are left to publish.
    private func publishContents(
        _ collector: inout ReplicaCollector, orAgain isAgain: Bool, bytesMax: UInt64
    ) throws(StoreError) -> Bool {
        while let unsent = try UnsentContentRows.first(orAgain: isAgain, bytesMax: bytesMax, connection) {
            guard collector.payload.count < ReplicaCollecting.replicaBatchBytes,
                collector.payload.isEmpty || !slice.isOver
            else { return false }
            guard let bytes = try nextPiece(of: unsent) else {
                // The content was deleted, usually together with the data that refers to it, or cannot be read. If the
                // content comes back, it is published then.
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
