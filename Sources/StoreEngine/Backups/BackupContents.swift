import Glibc
import SQLCipher
import StoreBasics
import StoreCrypto

/// The files of the vault in a backup: for each its id, its number of bytes (big-endian), and its bytes.
enum BackupContents {
    private static let headBytes = ContentID.byteCount + 8

    /// Copies the files of all contents to which a copy of the database refers. A missing file is left out, so that it
    /// is as damaged in the backup as in the store.
    ///
    /// - Parameter check: Throws to end the work.
    /// - Returns: The number of bytes written.
    static func append(
        namedBy connection: Connection, in folder: VaultFolder, to backup: borrowing BackupFile, at start: UInt64,
        check: () throws(StoreError) -> Void
    ) throws(StoreError) -> UInt64 {
        let rows = try connection.rows(contents)
        var position = start
        while try rows.next() {
            guard let id = ContentID(rows.borrowedBytes(0)) else {
                throw .databaseDamaged("the database row of a content is invalid")
            }
            guard let file = try folder.openForReading(id) else { continue }
            let bytes = try VaultFolder.size(of: file)
            let head = position
            position += UInt64(headBytes)
            var copied: UInt64 = 0
            try VaultFolder.forEachPiece(of: file, bytes: bytes) { piece throws(StoreError) in
                try check()
                try backup.write(piece, at: position)
                position += UInt64(piece.count)
                copied += UInt64(piece.count)
            }
            var described = id.bytes
            described.append(bigEndian: copied)
            try backup.write(described, at: head)
        }
        return position - start
    }

    /// Extracts the vault files of a backup into a folder, durably. The folder must not contain any of them yet.
    ///
    /// - Parameter range: The range of the files in the backup file.
    /// - Throws: `.backupDamaged` for bytes that `append` cannot have written.
    static func extract(
        _ range: Range<UInt64>, of backup: borrowing BackupFile, to folder: VaultFolder,
        check: () throws(StoreError) -> Void
    ) throws(StoreError) {
        var position = range.lowerBound
        var written: [UInt8: ContentID] = [:]
        while position < range.upperBound {
            let entry = try entry(at: position, in: range, of: backup)
            let id = entry.id
            guard let first = id.bytes.first else { throw wrong }
            position = entry.bytes.lowerBound
            let file = try folder.createForCopying(id)
            let end = entry.bytes.upperBound
            while position < end {
                try check()
                let piece = try backup.read(Int(min(end - position, UInt64(BackupLimits.bufferBytes))), at: position)
                guard !piece.isEmpty else { throw wrong }
                try VaultFolder.append(piece, to: file)
                position += UInt64(piece.count)
            }
            try VaultFolder.sync(file)
            written[first] = id
        }
        for id in written.values {
            try folder.syncFolder(of: id)
        }
    }

    /// A file of the vault within a backup.
    struct Entry {
        let id: ContentID
        /// The range of the file's bytes in the backup.
        let bytes: Range<UInt64>
    }

    /// - Throws: `.backupDamaged` for bytes that `append` cannot have written.
    static func entry(
        at position: UInt64, in range: Range<UInt64>, of backup: borrowing BackupFile
    ) throws(StoreError) -> Entry {
        let head = try backup.read(headBytes, at: position)
        guard head.count == headBytes, let id = head.withUnsafeBytes({ ContentID(.init(rebasing: $0.prefix(16))) })
        else { throw wrong }
        let start = position + UInt64(headBytes)
        let count = head.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard start <= range.upperBound, count <= range.upperBound - start else { throw wrong }
        return Entry(id: id, bytes: start..<(start + count))
    }

    /// Returns the approximate number of bytes in the files of all contents.
    static func bytes(_ connection: Connection) throws(StoreError) -> UInt64 {
        try connection.first(sumOfBytes)?.unsigned(0) ?? 0
    }

    fileprivate static var wrong: StoreError { .backupDamaged("the section with the files of the vault is malformed") }

    private static let contents = StatementText("SELECT id FROM file_contents WHERE id IS NOT NULL ORDER BY number")
    private static let sumOfBytes = StatementText(
        "SELECT ifnull(sum(byte_count), 0) FROM file_contents WHERE id IS NOT NULL")
}

/// Opens the files of the vault inside a backup. The files are in the order of the contents' numbers, and are requested
/// in the same order. Therefore only the current position has to be remembered.
final class BackupContentReader {
    private let backup: BackupFile
    private let range: Range<UInt64>
    private var current: BackupContents.Entry?
    /// The offset in the backup at which the current file ends.
    private var position: UInt64

    init(_ path: String, _ range: Range<UInt64>) throws(StoreError) {
        backup = try BackupFile(path, .read)
        self.range = range
        position = range.lowerBound
    }

    /// - Throws: `.fileDamaged`, also for a content that was missing when the backup was made; `.backupDamaged`.
    func open(_ content: VaultContent) throws(StoreError) -> ContentFile {
        if current?.id != content.header.id, position < range.upperBound {
            let next = try BackupContents.entry(at: position, in: range, of: backup)
            if next.id == content.header.id {
                current = next
                position = next.bytes.upperBound
            }
        }
        guard let current, current.id == content.header.id, let start = Int(exactly: current.bytes.lowerBound) else {
            throw .contentMissing
        }
        return try ContentFile.openVerified(
            content.header, under: content.key.key, descriptor: backup.duplicate(), at: start)
    }

    func expectEnd() throws(StoreError) {
        guard position == range.upperBound else { throw BackupContents.wrong }
    }
}

extension VaultFolder {
    /// Opens the file of a content; `nil` if the content has none.
    fileprivate func openForReading(_ id: ContentID) throws(StoreError) -> OwnedDescriptor? {
        guard let number = try descriptor(of: id, writing: false) else { return nil }
        return OwnedDescriptor(owning: number)
    }

    fileprivate func createForCopying(_ id: ContentID) throws(StoreError) -> OwnedDescriptor {
        guard let number = try descriptor(of: id, writing: true) else {
            throw StoreError(.storageFailed, "a folder of the vault is missing; check the disk")
        }
        return OwnedDescriptor(owning: number)
    }

    fileprivate static func size(of file: borrowing OwnedDescriptor) throws(StoreError) -> UInt64 {
        var status = stat()
        guard fstat(file.number, &status) == 0 else {
            throw SystemFailure.error("a file of the vault cannot be examined", errno)
        }
        return UInt64(max(0, status.st_size))
    }

    /// Passes the first `bytes` bytes of a file to `body`, in parts; fewer bytes if the file has become shorter.
    fileprivate static func forEachPiece(
        of file: borrowing OwnedDescriptor, bytes: UInt64,
        _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BackupLimits.bufferBytes, alignment: 16)
        defer { buffer.deallocate() }
        var position = 0
        while position < Int(bytes) {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(bytes) - position)])
            let count: Int
            do throws(SystemError) {
                count = try FileDescriptorCalls.read(file.number, into: part, at: position)
            } catch {
                throw SystemFailure.error("a file of the vault cannot be read", error.number)
            }
            guard count > 0 else { return }
            try body(UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(rebasing: part[..<count])))
            position += count
        }
    }

    fileprivate static func append(_ bytes: [UInt8], to file: borrowing OwnedDescriptor) throws(StoreError) {
        do throws(SystemError) {
            try FileDescriptorCalls.write(file.number, bytes)
        } catch {
            throw SystemFailure.error("a file of the vault cannot be written", error.number)
        }
    }

    fileprivate static func sync(_ file: borrowing OwnedDescriptor) throws(StoreError) {
        guard fdatasync(file.number) == 0 else {
            throw SystemFailure.error("a file of the vault cannot be synced to disk", errno)
        }
    }
}
