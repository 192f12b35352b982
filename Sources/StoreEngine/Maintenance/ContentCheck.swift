import SQLCipher
import StoreBasics
import StoreCrypto

/// Reads every chunk of the contents that lie in the vault, some at a time: each step has a snapshot of its own, and
/// what is written over meanwhile is read as it is then.
struct ContentCheck: ~Copyable {
    /// Of what one step reads: a snapshot is held for so long.
    private static let bytesPerStep = 32 << 20

    private let files: ContentFiles
    private var buffer = ChunkBuffer()
    /// Of the content, as far as it was read.
    private var digest: ContentDigest? = ContentDigest()
    /// What comes next.
    private var content: Int64 = 0
    private var chunk: UInt64 = 0
    /// A chunk that did not open: damage, if it is of the same write in the next snapshot and does not open then.
    private var suspect: Suspect?

    private struct Suspect: Equatable {
        let id: ContentID
        let generation: UInt64
        let chunk: UInt64
    }

    /// Of all contents, read so far.
    private(set) var bytesRead: UInt64 = 0

    init(_ files: ContentFiles) {
        self.files = files
    }

    /// - Returns: false once there is nothing left to be read.
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
                try note(error, number, connection, &report)
            }
            report.rowsChecked += 1
            begin(number + 1)
        }
        return true
    }

    /// - Returns: false where it has not come to the content's end.
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

    /// Contents of attachments are never written over: what was read is one content, and looking again finds no other.
    private mutating func checkDigest(
        of number: Int64, _ connection: Connection, _ report: inout CheckReport
    ) throws(StoreError) {
        guard let bytes = digest.take()?.finish(), let row = try connection.first(Self.digestOfContent, number),
            !row.borrowedBytes(0).hasSameBytes(as: bytes)
        else { return }
        try note(.fileDamaged("the content does not match its digest"), number, connection, &report)
    }

    /// By the revision that made it, under which the changes have its path: a report holds no content.
    private func note(
        _ error: StoreError, _ number: Int64, _ connection: Connection, _ report: inout CheckReport
    ) throws(StoreError) {
        guard let row = try connection.first(Self.filesOfContent, number) else {
            try noteAttachment(error, number, connection, &report)
            return
        }
        let others = row.integer(1) > 1 ? " (and \(row.integer(1) - 1) copies of it)" : ""
        report.add(damagedFile: "the file created at revision \(row.integer(0))\(others): \(error.message)")
    }

    private func noteAttachment(
        _ error: StoreError, _ number: Int64, _ connection: Connection, _ report: inout CheckReport
    ) throws(StoreError) {
        let row = try connection.first(Self.attachmentsOfContent, number)
        guard let row, let list = row.optionalInteger(0) else {
            report.add(damagedFile: "an attachment that belongs to no message: \(error.message)")
            return
        }
        let others = row.integer(1) > 1 ? " (and \(row.integer(1) - 1) others)" : ""
        report.add(damagedFile: "the attachment saved at revision \(list)\(others): \(error.message)")
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

/// Where the files of contents are to be read.
enum ContentFiles {
    case vault(VaultFolder)
    case backup(BackupContentReader)

    fileprivate func open(_ content: VaultContent) throws(StoreError) -> ContentFile {
        switch self {
        case .vault(let folder): try folder.open(content.header, under: content.key.key)
        case .backup(let reader): try reader.open(content)
        }
    }

    /// All contents were read.
    ///
    /// - Throws: `.backupDamaged` for a backup with more than these.
    func expectEnd() throws(StoreError) {
        if case .backup(let reader) = self {
            try reader.expectEnd()
        }
    }
}
