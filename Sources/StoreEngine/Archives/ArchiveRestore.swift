import Interchange
import SQLCipher
import StoreBasics
package import StoreCrypto

/// What to do with the archive that follows.
package struct ArchiveRestoreRequest: Sendable {
    package enum Aim: Sendable {
        /// Read and check all of it; needs no open store.
        case verify
        /// Into a store that holds nothing.
        case fillEmpty
        /// Into whatever the store holds.
        case merge
    }

    package var coding: any ArchiveCoding
    package var aim: Aim
    /// Find out what it would come to, change nothing.
    package var isDryRun: Bool
    /// Opens a sealed archive; `nil` for one that is not sealed.
    package var secret: SlotSecretBox?

    package init(coding: any ArchiveCoding, aim: Aim, isDryRun: Bool, secret: SlotSecretBox?) {
        self.coding = coding
        self.aim = aim
        self.isDryRun = isDryRun
        self.secret = secret
    }
}

package struct RestoreReport: Hashable, Sendable {
    package var header: ArchiveHeader
    package var isSealed: Bool
    package var isDryRun: Bool
    /// What the archive holds.
    package var counts: ArchiveCounts
    /// Empty where the archive was only verified.
    package var tally: RestoreTally
    /// Bytes of the archive, without what seals it.
    package var contentBytes: UInt64
    /// 64 hexadecimal digits that tell this archive from every other.
    package var contentID: String
}

/// One restore: pieces of an archive come in, batches of records go to the writer. Used by one thread only, which waits
/// for the commits.
final class ArchiveRestore: ReceivingSession {
    /// Where the records go.
    struct Target {
        /// Returns when the batch is on disk.
        var save: (RestoreBatch, _ byteCount: Int) throws(StoreError) -> RestoreTally
        var directory: StateDirectory
        var holdContents: @Sendable () throws(StoreError) -> @Sendable () -> Void
    }

    private let request: ArchiveRestoreRequest
    private let target: Target
    private let isSealed: Bool
    private var decoder: ArchiveStreamReader
    private var opener: SealedStreamReader?
    private var header: ArchiveHeader?
    private var tally = RestoreTally()
    private var batch: RestoreBatch
    private var batchBytes = 0
    private var file: RestoredFile?
    private var folder: VaultFolder?
    private var position: UInt64 = 0

    init(_ request: ArchiveRestoreRequest, secret: consuming SlotSecret?, to target: Target) {
        self.request = request
        self.target = target
        decoder = ArchiveStreamReader(request.coding)
        batch = RestoreBatch(isDryRun: request.isDryRun)
        isSealed = secret != nil
        if let secret = consume secret {
            opener = SealedStreamReader(secret: secret, .archive)
        }
    }

    deinit {
        file?.abandon()
    }

    var triesPassphrase: Bool {
        switch opener {
        case .some(let opener): opener.waitsForPassphrase
        case .none: false
        }
    }

    /// - Throws: `.archiveDamaged` naming the byte, `.archiveSecretWrong`, `.invalidArgument` for a piece out of order,
    ///   and whatever saving meets.
    func write(_ data: [UInt8], at offset: UInt64) throws(StoreError) -> UInt64 {
        guard offset == position else {
            throw .invalidArgument("the restore has come to byte \(position), not \(offset); write pieces in order")
        }
        guard data.count <= BlobLimits.pieceBytesMax else {
            throw .invalidArgument("the piece has \(data.count) bytes; the most is \(BlobLimits.pieceBytesMax)")
        }
        if offset == 0, !isSealed, SealedFileHeader.isSealed(data, .archive) {
            throw StoreError(
                .archiveSecretWrong, "the archive is sealed; give its passphrase or a recipient's key file")
        }
        position += UInt64(data.count)
        guard isSealed else {
            try take(data)
            return position
        }
        var content: [UInt8] = []
        try opened { reader throws(CryptoError) in try reader.feed(data, to: &content) }
        try take(content)
        return position
    }

    /// The file has ended.
    func finish() throws(StoreError) -> RestoreReport {
        if isSealed {
            var content: [UInt8] = []
            try opened { reader throws(CryptoError) in try reader.finish(to: &content) }
            try take(content)
        }
        try decoder.finish()
        try saveBatch()
        guard let header, let contentID = decoder.contentID else {
            throw StoreError(.internal, "a whole archive has a header and a footer")
        }
        return RestoreReport(
            header: header, isSealed: isSealed, isDryRun: request.isDryRun, counts: decoder.counts, tally: tally,
            contentBytes: decoder.offset, contentID: Hexadecimal.encode(contentID))
    }

    private func take(_ content: [UInt8]) throws(StoreError) {
        decoder.feed(content)
        while let item = try decoder.next() {
            try take(item)
        }
    }

    private func take(_ item: ArchiveItem) throws(StoreError) {
        if case .header(let header) = item {
            self.header = header
        }
        if case .verify = request.aim {
            return
        }
        switch item {
        case .header: break
        case .contact(let contact): try restore(.contact(contact), .contact(contact))
        case .conversation(let value): try restore(.conversation(value), .conversation(value))
        case .message(let message, let session): try restore(.message(message, in: session), .message(message))
        case .reaction(let reaction, let message): try restore(.reaction(reaction, to: message), .reaction(reaction))
        case .draft(let draft): try restore(.draft(draft), .draft(draft))
        case .sceneValue(let value): try restore(.sceneValue(value), .sceneValue(value))
        case .log(let log): try restore(.log(log), .log(log))
        case .logEntry(let entry, let log): try restore(.logEntry(entry, of: log), .logEntry(entry))
        case .directory(let directory): try restore(.directory(directory), .directory(directory))
        case .file(let file): try begin(file)
        case .filePiece(let bytes, let isLast): try take(bytes, isLast: isLast)
        }
    }

    private func restore(_ restored: RestoredRecord, _ record: ArchiveRecord) throws(StoreError) {
        try restore(restored, byteCount: record.byteCount)
    }

    private func restore(_ record: RestoredRecord, byteCount: Int) throws(StoreError) {
        batch.records.append(record)
        batchBytes += byteCount
        if batch.records.count >= ArchiveLimits.batchRecordsMax || batchBytes >= ArchiveLimits.batchBytesMax {
            try saveBatch()
        }
    }

    private func saveBatch() throws(StoreError) {
        guard !batch.records.isEmpty else { return }
        tally.add(try target.save(batch, batchBytes))
        batch.records.removeAll(keepingCapacity: true)
        batchBytes = 0
    }

    private func opened(_ body: (inout SealedStreamReader) throws(CryptoError) -> Void) throws(StoreError) {
        guard var reader = opener.take() else { preconditionFailure("a sealed restore has its reader until it ends") }
        do throws(CryptoError) {
            try body(&reader)
        } catch {
            switch error.code {
            case .sealedFileDamaged: throw StoreError(.archiveDamaged, error.message)
            case .sealedFileNotForSecret: throw StoreError(.archiveSecretWrong, error.message)
            default: throw StoreError(error)
            }
        }
        opener = consume reader
    }
}

// MARK: Files

extension ArchiveRestore {
    private func begin(_ file: ArchivedFile) throws(StoreError) {
        guard !request.isDryRun else { return try restore(.file(file, nil), .file(file)) }
        guard file.byteCount > 0 else { return try restore(.file(file, .database([])), .file(file)) }
        guard file.byteCount > UInt64(EngineLimits.inlineFileBytesMax) else {
            self.file = RestoredFile(file)
            return
        }
        // What is there before it decides about it.
        try saveBatch()
        // Its content is written only where it is wanted.
        var question = RestoreBatch(isDryRun: true)
        question.records.append(.file(file, nil))
        let answer = try target.save(question, 0)
        guard answer.added[.file] + answer.updated[.file] > 0 else {
            tally.add(answer)
            return
        }
        // Nothing is held back where there is no vault.
        let folder = try openFolder()
        self.file = try RestoredFile(file, in: folder, try target.holdContents())
    }

    private func take(_ bytes: [UInt8], isLast: Bool) throws(StoreError) {
        guard let file else { return }
        try file.append(bytes)
        guard isLast else { return }
        let content = try file.finish()
        guard case .vault = content else {
            self.file = nil
            return try restore(.file(file.file, content), byteCount: bytes.count)
        }
        // Alone, and with what holds back the cleaning of the vault until its row is there.
        var alone = RestoreBatch(isDryRun: false)
        alone.records.append(.file(file.file, content))
        let outcome = try target.save(alone, bytes.count)
        tally.add(outcome)
        if outcome.added[.file] + outcome.updated[.file] > 0 {
            file.keep()
        }
        file.abandon()
        self.file = nil
    }

    private func openFolder() throws(StoreError) -> VaultFolder {
        if let folder {
            return folder
        }
        let opened = try VaultFolder(in: target.directory)
        folder = opened
        return opened
    }
}

/// A file whose content is coming in.
private final class RestoredFile {
    let file: ArchivedFile
    private var bytes: [UInt8] = []
    private var write: FileWrite?
    private var release: (() -> Void)?

    /// One that is kept in the database.
    init(_ file: ArchivedFile) {
        self.file = file
    }

    init(_ file: ArchivedFile, in folder: VaultFolder, _ release: @escaping () -> Void) throws(StoreError) {
        self.file = file
        self.release = release
        let request = FileWriteRequest(path: file.path, place: .whole, byteCount: file.byteCount)
        do throws(StoreError) {
            write = try FileWrite(.file(request), over: .nothing, folder)
        } catch {
            release()
            throw error
        }
    }

    func append(_ piece: [UInt8]) throws(StoreError) {
        if let write {
            _ = try write.write(piece, at: write.bytesReceived)
        } else {
            bytes += piece
        }
    }

    func finish() throws(StoreError) -> RestoredContent {
        guard let write else { return .database(bytes) }
        while true {
            guard let completion = try write.finishStep() else { continue }
            switch completion.content {
            case .database(let bytes): return .database(bytes)
            case .new(let content): return .vault(content)
            case .unchanged, .rewritten: throw StoreError(.internal, "a file was restored over another's content")
            }
        }
    }

    /// What was written is a file's.
    func keep() {
        write = nil
    }

    /// Nothing may come any more; what is no file's is removed.
    func abandon() {
        write?.abandon()
        write = nil
        release?()
        release = nil
    }
}

extension StoreReader {
    /// - Throws: `.storeNotEmpty` where there is anything that an archive could hold.
    func expectEmpty() throws(StoreError) {
        try read { (connection) throws(StoreError) in
            guard let row = try connection.first(Self.isEmpty), row.bool(0) else {
                throw StoreError(
                    .storeNotEmpty, "the store is not empty; merge the archive into it, or restore it elsewhere")
            }
        }
    }

    private static let isEmpty = StatementText(
        """
        SELECT NOT (EXISTS (SELECT 1 FROM conversations) OR EXISTS (SELECT 1 FROM contacts)
            OR EXISTS (SELECT 1 FROM scene_values) OR EXISTS (SELECT 1 FROM logs)
            OR EXISTS (SELECT 1 FROM files WHERE parent = 0))
        """)
}
