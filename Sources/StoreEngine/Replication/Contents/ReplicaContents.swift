import ReplicaModel
import SQLCipher
import StoreBasics

/// Which comes first, where records name contents that nobody was told of.
enum ReplicaOrder {
    /// The contents: who merges the records finds them there.
    case contentsFirst
    /// The records: another device's batch waits to be merged, and contents may be long in telling.
    case recordsFirst
}

/// Carries the contents of files and attachments between devices.
struct ReplicaContents: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Tells contents that records name, each once unless a device asks for it.
extension ReplicaContents {
    /// What a message or draft names.
    ///
    /// - Returns: false where what it names is to be told first, and is not told yet.
    func tellContents(
        of attachments: [NewAttachment], _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        for attachment in attachments {
            try announce(attachment.digest, &collector)
        }
        guard order == .contentsFirst, !attachments.isEmpty else { return true }
        return try tellContents(&collector, orAgain: false)
    }

    /// Notes a content to be told, or where the group was told of it. One that is not here is asked for, and told once
    /// it is; but for one that the group was told of and applications can fetch.
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

    /// Tells as much as fits the batch of what is to be told.
    ///
    /// - Parameter isAgain: also what no change waits for: somebody lacks it, or may.
    /// - Returns: whether nothing is left.
    func tellContents(_ collector: inout ReplicaCollector, orAgain isAgain: Bool) throws(StoreError) -> Bool {
        while let untold = try UntoldContentRows.first(orAgain: isAgain, connection) {
            guard collector.payload.count < ReplicaCollecting.replicaBatchBytes,
                collector.payload.isEmpty || !slice.isOver
            else { return false }
            guard let bytes = try nextPiece(of: untold) else {
                // It is gone, mostly with what named it, or cannot be read. One that comes again is told then.
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
            // Who could not keep the pieces asks for them.
            collector.add(
                .contentNotice(
                    ContentNoticeRecord(
                        digest: untold.digest.bytes, device: collector.device, sequence: collector.sequence)))
        }
        return true
    }

    /// - Returns: `nil` where the content is not here as it was, or not to be read.
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
