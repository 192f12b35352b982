import Interchange
import StoreBasics
package import StoreCrypto

/// A request to restore an archive, which follows in parts.
package struct ArchiveRestoreRequest: Sendable {
    package enum Aim: Sendable {
        /// Read and check the whole archive. Needs no open store.
        case verify
        /// Restore into an empty store.
        case fillEmpty
        /// Restore into a store with any content.
        case merge
    }

    package var coding: any ArchiveCoding
    package var aim: Aim
    /// True to determine the outcome without changing anything.
    package var isDryRun: Bool
    /// The secret that opens a sealed archive; `nil` for an archive without a seal.
    package var secret: SlotSecretBox?
    /// True to accept a footer without a digest, because the archive may have been written by hand.
    package var isWithoutDigest: Bool

    package init(
        coding: any ArchiveCoding, aim: Aim, isDryRun: Bool, secret: SlotSecretBox?, isWithoutDigest: Bool = false
    ) {
        self.coding = coding
        self.aim = aim
        self.isDryRun = isDryRun
        self.secret = secret
        self.isWithoutDigest = isWithoutDigest
    }
}

package struct RestoreReport: Hashable, Sendable {
    package var header: ArchiveHeader
    package var isSealed: Bool
    package var isDryRun: Bool
    /// The number of records in the archive.
    package var counts: ArchiveCounts
    /// The outcomes; empty if the archive was only verified.
    package var tally: RestoreTally
    /// The number of bytes of the archive without its seal.
    package var contentBytes: UInt64
    /// 64 hexadecimal digits that identify the content of this archive.
    package var contentID: String
}

/// One restore: parts of an archive arrive, and batches of records are passed to the writer. Used by one thread only,
/// which waits for the commits.
final class ArchiveRestore: ReceivingSession {
    /// The store that receives the records.
    struct Target {
        /// Saves a batch. Returns when the batch is on disk.
        var save: (RestoreBatch, _ byteCount: Int) throws(StoreError) -> RestoreTally
        var directory: StateDirectory
        var holdContent: ContentHold
    }

    private let request: ArchiveRestoreRequest
    private let target: Target
    private var input: SealedInput
    private var decoder: ArchiveStreamReader
    private var header: ArchiveHeader?
    private var tally = RestoreTally()
    private var batch: RestoreBatch
    private var batchBytes = 0
    private var batchRows = 0
    /// The digests of the restored contents, whose grace period ends after the last record.
    private var contents: [AttachmentDigest] = []
    private var incoming: IncomingBytes?
    private var folder: VaultFolder?

    init(_ request: ArchiveRestoreRequest, secret: consuming SlotSecret?, to target: Target) {
        self.request = request
        self.target = target
        decoder = ArchiveStreamReader(request.coding, isWithoutDigest: request.isWithoutDigest)
        batch = RestoreBatch(isDryRun: request.isDryRun)
        input = SealedInput(secret: secret, .archive)
    }

    deinit {
        incoming?.abandon()
    }

    var triesPassphrase: Bool { input.triesPassphrase }

    /// Accepts a part of the archive.
    ///
    /// - Throws: `.archiveDamaged` with the offset of the damaged record, `.archiveSecretWrong`, `.invalidArgument` for
    ///   a part out of order, and errors of saving.
    func write(_ data: [UInt8], at offset: UInt64) throws(StoreError) -> UInt64 {
        var content: [UInt8] = []
        let received = try input.accept(data, at: offset, to: &content)
        try process(content)
        return received
    }

    /// Ends the restore after the last part of the archive, and returns the report.
    func finish() throws(StoreError) -> RestoreReport {
        var content: [UInt8] = []
        try input.finish(to: &content)
        try process(content)
        try decoder.finish()
        try saveBatch()
        try endContentsGrace()
        guard let header, let contentID = decoder.contentID else {
            throw .fault("a complete archive must have a header and a footer")
        }
        return RestoreReport(
            header: header, isSealed: input.isSealed, isDryRun: request.isDryRun, counts: decoder.counts, tally: tally,
            contentBytes: decoder.offset, contentID: Hexadecimal.encode(contentID))
    }

    private func process(_ content: [UInt8]) throws(StoreError) {
        decoder.feed(content)
        while let item = try decoder.next() {
            try process(item)
        }
    }

    private func process(_ item: ArchiveItem) throws(StoreError) {
        if case .header(let header) = item {
            if header.isOfChanges, case .fillEmpty = request.aim {
                throw .invalidArgument(
                    """
                    the archive has only the changes after revision \(header.sinceRevision); merge it into a \
                    store that has the earlier data
                    """)
            }
            self.header = header
            batch.isOfChanges = header.isOfChanges
        }
        if case .verify = request.aim {
            return
        }
        switch item {
        case .header: break
        case .record(let record):
            switch record.thing {
            case .file(let file, _): try begin(.file(file), record)
            case .content(let content, _):
                if contents.count < ArchiveLimits.contentsEndingGraceMax {
                    contents.append(content.digest)
                }
                try begin(.content(content), record)
            case .contact, .conversation, .message, .reaction, .draft, .sceneValue, .log, .logEntry, .directory,
                .removal, .reactionRemoval:
                try restore(record)
            }
        case .filePiece(let bytes, let isLast): try process(bytes, isLast: isLast)
        }
    }

    private func restore(_ record: RestoredRecord) throws(StoreError) {
        batch.records.append(record)
        batchBytes += record.byteCount
        batchRows += record.thing.rowCount
        if batchRows >= ArchiveLimits.batchRecordsMax || batchBytes >= ArchiveLimits.batchBytesMax {
            try saveBatch()
        }
    }

    /// Ends the grace period of the restored contents. From now on, a content is deleted when no attachment has it.
    private func endContentsGrace() throws(StoreError) {
        guard !request.isDryRun else { return }
        for start in stride(from: 0, to: contents.count, by: ArchiveLimits.batchRecordsMax) {
            var ending = RestoreBatch(isDryRun: false)
            ending.contentsEndingGrace = Array(contents[start...].prefix(ArchiveLimits.batchRecordsMax))
            _ = try target.save(ending, 0)
        }
    }

    private func saveBatch() throws(StoreError) {
        guard !batch.records.isEmpty else { return }
        tally.add(try target.save(batch, batchBytes))
        batch.records.removeAll(keepingCapacity: true)
        batchBytes = 0
        batchRows = 0
    }
}

// MARK: Bytes of files and of contents

extension ArchiveRestore {
    private func begin(_ owner: IncomingBytes.Owner, _ record: RestoredRecord) throws(StoreError) {
        guard !request.isDryRun else { return try restore(record) }
        guard owner.byteCount > 0 else { return try restore(record, owner.thing(.database([]))) }
        guard owner.byteCount > UInt64(EngineLimits.inlineFileBytesMax) else {
            incoming = IncomingBytes(owner, record)
            return
        }
        // Save the preceding records first: they may decide whether the store needs this file or content.
        try saveBatch()
        // Determine the outcome without the bytes, which are written only if the store needs them.
        var question = RestoreBatch(isDryRun: false)
        question.records.append(record)
        let answer = try target.save(question, 0)
        guard answer.added[record.thing.kind] + answer.updated[record.thing.kind] > 0 else {
            tally.add(answer)
            return
        }
        incoming = try IncomingBytes(owner, record, in: openFolder(), holding: target.holdContent)
    }

    private func process(_ bytes: [UInt8], isLast: Bool) throws(StoreError) {
        guard let incoming else { return }
        try incoming.append(bytes)
        guard isLast else { return }
        let whole = try incoming.finish()
        guard case .vault = whole else {
            self.incoming = nil
            return try restore(incoming.record, incoming.owner.thing(whole))
        }
        // Save the record in a batch of its own. Its file is protected until the row that refers to it is committed,
        // and a restore protects only one file at a time.
        var alone = RestoreBatch(isDryRun: false)
        var record = incoming.record
        record.thing = incoming.owner.thing(whole)
        alone.records.append(record)
        let outcome = try target.save(alone, bytes.count)
        tally.add(outcome)
        if outcome.added[record.thing.kind] + outcome.updated[record.thing.kind] > 0 {
            incoming.keep()
        }
        incoming.abandon()
        self.incoming = nil
    }

    /// - Parameter thing: The record's file or content, with its bytes.
    private func restore(_ record: RestoredRecord, _ thing: RestoredThing) throws(StoreError) {
        var record = record
        record.thing = thing
        if case .file(let file, .database) = thing {
            record.byteCount += Int(clamping: file.byteCount)
        } else if case .content(let content, .database) = thing {
            record.byteCount += Int(clamping: content.byteCount)
        }
        try restore(record)
    }

    private func openFolder() throws(StoreError) -> VaultFolder {
        if let folder {
            return folder
        }
        let opened = try VaultFolder(in: target.directory)
        try opened.syncNames()
        folder = opened
        return opened
    }
}
