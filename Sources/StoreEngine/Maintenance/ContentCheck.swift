import SQLCipher
import StoreBasics
import StoreCrypto

/// Reads every chunk of the contents in the vault, in steps. Each step has a snapshot of its own. A chunk that is
/// overwritten in the meantime is read in its new state.
struct ContentCheck: ~Copyable {
    /// The bytes that one step reads, which limit the duration of its snapshot.
    private static let bytesPerStep = 32 << 20

    private let files: ContentFiles
    private var buffer = ChunkBuffer()
    /// The digest of the content, as far as it was read.
    private var digest: ContentDigest? = ContentDigest()
    /// The next content and chunk to read.
    private var content: Int64 = 0
    private var chunk: UInt64 = 0
    /// A chunk that could not be decrypted. It is reported as damaged if the decryption fails in the next snapshot,
    /// too, and the chunk still has the same version.
    private var suspect: Suspect?

    private struct Suspect: Equatable {
        let id: ContentID
        let generation: UInt64
        let chunk: UInt64
    }

    /// The number of bytes read so far, of all contents.
    private(set) var bytesRead: UInt64 = 0

    init(_ files: ContentFiles) {
        self.files = files
    }

    /// Reads the next chunks.
    ///
    /// - Returns: False if nothing is left to read.
    mutating func step(_ connection: Connection, _ report: inout CheckReport) throws(StoreError) -> Bool {
        var bytesLeft = Self.bytesPerStep
        while bytesLeft > 0 {
            guard let number = try connection.first(Self.nextContent, content)?.integer(0) else { return false }
            if number != content {
                begin(number)
            }
            guard case .vault(let stored) = try FileContents.place(of: number, connection) else { return false }
            do throws(StoreError) {
                guard try read(stored, connection, &bytesLeft) else { return true }
                try checkDigest(of: number, connection, &report)
            } catch {
                guard error.reason == .fileDamaged else { throw error }
                let found = Suspect(id: stored.header.id, generation: stored.generation, chunk: chunk)
                guard suspect == found else {
                    suspect = found
                    return true
                }
                try addFinding(error, number, connection, &report)
            }
            report.rowsChecked += 1
            begin(number + 1)
        }
        return true
    }

    /// - Returns: False if the step ended before the content's end.
    private mutating func read(
        _ stored: VaultContent, _ connection: Connection, _ bytesLeft: inout Int
    ) throws(StoreError) -> Bool {
        let file = try files.open(stored)
        let layout = stored.layout
        guard chunk < layout.chunkCount else { return true }
        let runs = try ChunkRunRows.readIfWhole(chunk..<layout.chunkCount, of: stored.number, connection)
        guard let runs else { throw .fileDamaged("the position of a chunk is missing") }
        for run in runs {
            guard let part = run.part(of: chunk..<layout.chunkCount) else { continue }
            for (number, slot) in zip(part.chunks, part.slots) {
                guard bytesLeft > 0 else { return false }
                let count = layout.byteCount(of: number)
                chunk = number
                let plaintext = try buffer.read(
                    count, of: file, from: slot, as: ChunkPlace(chunk: number, generation: part.generation))
                digest?.update(plaintext)
                chunk = number + 1
                bytesLeft -= count
                bytesRead += UInt64(count)
            }
        }
        return true
    }

    private mutating func begin(_ number: Int64) {
        (content, chunk) = (number, 0)
        digest = ContentDigest()
    }

    /// Compares the digest of a content of attachments. Such contents are never overwritten, so the bytes of several
    /// snapshots belong together, and no second attempt is necessary.
    private mutating func checkDigest(
        of number: Int64, _ connection: Connection, _ report: inout CheckReport
    ) throws(StoreError) {
        guard let bytes = digest.take()?.finish(), let row = try connection.first(Self.digestOfContent, number),
            !row.borrowedBytes(0).hasSameBytes(as: bytes)
        else { return }
        try addFinding(.fileDamaged("the content does not match its digest"), number, connection, &report)
    }

    /// Adds a finding about a file. A report contains no content of the store, so the finding has the revision that
    /// created the file instead of its path. The change log has the path under this revision.
    private func addFinding(
        _ error: StoreError, _ number: Int64, _ connection: Connection, _ report: inout CheckReport
    ) throws(StoreError) {
        guard let row = try connection.first(Self.filesOfContent, number) else {
            try addAttachmentFinding(error, number, connection, &report)
            return
        }
        let others = Self.others(row.integer(1) - 1, "copy of it", "copies of it")
        report.add(damagedFile: "the file created at revision \(row.integer(0))\(others): \(error.message)")
    }

    private func addAttachmentFinding(
        _ error: StoreError, _ number: Int64, _ connection: Connection, _ report: inout CheckReport
    ) throws(StoreError) {
        let row = try connection.first(Self.attachmentsOfContent, number)
        guard let row, let list = row.optionalInteger(0) else {
            report.add(damagedFile: "an attachment that belongs to no message: \(error.message)")
            return
        }
        let others = Self.others(
            row.integer(1) - 1, "other attachment with this content", "other attachments with this content")
        report.add(damagedFile: "the attachment saved at revision \(list)\(others): \(error.message)")
    }

    private static func others(_ count: Int64, _ one: String, _ several: String) -> String {
        count > 0 ? " (and \(count) \(count == 1 ? one : several))" : ""
    }

    private static let digestOfContent = StatementText("SELECT digest FROM attachment_contents WHERE stored = ?1")
    private static let attachmentsOfContent = StatementText(
        """
        SELECT min(a.list), count(*) FROM attachment_contents AS c CROSS JOIN attachments AS a ON a.content = c.number
        WHERE c.stored = ?1
        """)
    private static let nextContent = StatementText(
        "SELECT number FROM file_contents WHERE number >= ?1 AND id IS NOT NULL ORDER BY number LIMIT 1")
    private static let filesOfContent = StatementText(
        "SELECT min(number), count(*) FROM files WHERE content = ?1 GROUP BY content")
}

/// The place from which a check reads the files of contents.
enum ContentFiles {
    case vault(VaultFolder)
    case backup(BackupContentReader)

    fileprivate func open(_ content: VaultContent) throws(StoreError) -> ContentFile {
        switch self {
        case .vault(let folder): try folder.open(content.header, under: content.key.key)
        case .backup(let reader): try reader.open(content)
        }
    }

    /// Checks that all contents were read.
    ///
    /// - Throws: `.backupDamaged` for a backup with further contents.
    func expectEnd() throws(StoreError) {
        if case .backup(let reader) = self {
            try reader.expectEnd()
        }
    }
}
