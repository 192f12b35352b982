import ReplicaModel
import SQLCipher
import StoreBasics

/// The order of records and the contents that they name, if the contents are not published yet.
enum ReplicaOrder {
    /// Contents first, so that a device that merges the records has them already.
    case contentsFirst
    /// Records first, because another device's batch waits to be merged and publishing the contents may take long.
    case recordsFirst
}

/// Carries the contents of files and attachments between devices.
struct ReplicaContents: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Publishes contents that records name, each once unless a device requests it.
extension ReplicaContents {
    /// Publishes the contents of a message or a draft.
    ///
    /// - Returns: False if the contents have to be published first and are not yet.
    func tellContents(
        of attachments: [NewAttachment], _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        for attachment in attachments {
            try announce(attachment.digest, &collector)
        }
        guard order == .contentsFirst, !attachments.isEmpty else { return true }
        return try tellContents(&collector, orAgain: false)
    }

    /// Puts a content into the queue, or adds a notice if the group already received it. A missing content is
    /// requested, and published once it is here, except if the group received it and applications can fetch it.
    func announce(
        _ digest: AttachmentDigest, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        guard !collector.isSilent, collector.beginContent(digest) else { return }
        try linkAwaitedContent(digest)
        let number = try contentNumber(digest)
        let told = try ReplicaContentRows.told(digest, connection)
        if let told {
            collector.add(
                .contentNotice(
                    ContentNoticeRecord(digest: digest.bytes, device: told.device, sequence: told.sequence)))
        } else if let number {
            let byteCount = try FileContents.byteCount(of: number, connection)
            try UntoldContentRows.insert(digest, byteCount: byteCount, connection)
        }
        guard number == nil else { return }
        if told != nil, try AttachmentContents.canBeFetchedAgain(digest, connection) { return }
        try noteMissing(digest, named: collector.device, in: 0)
    }

    /// Publishes contents of the queue, as much as fits in the batch.
    ///
    /// - Parameter isAgain: Includes contents that no change waits for, because another device lacks them or may lack
    ///   them.
    /// - Returns: Whether nothing is left.
    func tellContents(_ collector: inout ReplicaCollector, orAgain isAgain: Bool) throws(StoreError) -> Bool {
        while let untold = try UntoldContentRows.first(orAgain: isAgain, connection) {
            guard collector.payload.count < ReplicaCollecting.replicaBatchBytes,
                collector.payload.isEmpty || !slice.isOver
            else { return false }
            guard let bytes = try nextPiece(of: untold) else {
                // The content was deleted, usually with what named it, or cannot be read. If it comes back, it is
                // published then.
                try UntoldContentRows.delete(untold.number, connection)
                if try contentNumber(untold.digest) == nil,
                    try ReplicaContentRows.told(untold.digest, connection) == nil
                {
                    try noteMissing(untold.digest, named: collector.device, in: 0)
                }
                continue
            }
            let piece = ContentPieceRecord(
                digest: untold.digest.bytes, byteCount: untold.byteCount, offset: untold.toldBytes, bytes: bytes)
            collector.add(.contentPiece(piece))
            guard piece.isLast else {
                try UntoldContentRows.setTold(untold.toldBytes + UInt64(bytes.count), of: untold.number, connection)
                continue
            }
            try UntoldContentRows.delete(untold.number, connection)
            try ReplicaContentRows.write(untold.digest, collector.device, collector.sequence, connection)
            // A device that could not keep the pieces can request the content by this notice.
            collector.add(
                .contentNotice(
                    ContentNoticeRecord(
                        digest: untold.digest.bytes, device: collector.device, sequence: collector.sequence)))
        }
        return true
    }

    /// - Returns: `nil` if the content was changed or deleted, or cannot be read.
    private func nextPiece(of untold: UntoldContentRows.Row) throws(StoreError) -> [UInt8]? {
        guard let number = try contentNumber(untold.digest), untold.toldBytes <= untold.byteCount else { return nil }
        let left = untold.byteCount - untold.toldBytes
        let range = untold.toldBytes..<(untold.toldBytes + min(left, UInt64(ContentPieceRecord.bytesMax)))
        do throws(StoreError) {
            let bytes: [UInt8]
            switch try FileContents.place(of: number, connection) {
            case .database: bytes = try FileContents.bytes(of: number, range, connection)
            case .vault(let stored):
                guard stored.byteCount == untold.byteCount else { return nil }
                bytes = try replica.vault.read(range, of: stored, connection)
            }
            return bytes.count == range.count ? bytes : nil
        } catch {
            guard error.reason == .fileDamaged else { throw error }
            return nil
        }
    }
}
