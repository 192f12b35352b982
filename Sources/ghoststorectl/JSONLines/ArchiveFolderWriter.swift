import Glibc
import StoreBasics
import StoreClient

/// Makes a folder of JSON Lines from the bytes of a plain archive, as they come. The lines get their name when
/// everything is durable: a folder that was broken off is without, and no archive.
///
/// Used from one task. Names of files never come from the store, except digests, which are digits.
final class ArchiveFolderWriter {
    private let path: String
    private let folder: HostFolder
    private let contents: HostFolder
    private let isNew: Bool
    private let lines: NewFile
    private let writer: DescriptorWriter
    private var reader = ArchiveRecordReader()
    private var fileCount = 0
    /// Of the file or content that pieces are for.
    private var content: OwnedDescriptor?

    /// - Parameter path: of a folder that is made, or that is empty.
    init(_ path: String) throws(CommandFailure) {
        let isNew = access(path, F_OK) != 0
        let folder = try HostFolder(making: path)
        guard try folder.names().isEmpty else {
            throw CommandFailure(.cannotCreate, "\(path) is not empty; hint: give a new folder")
        }
        do throws(CommandFailure) {
            contents = try folder.makeFolder(ArchiveFolder.contentsName)
            lines = try folder.makeFile(ArchiveFolder.linesName, replacesExisting: false)
        } catch {
            folder.removeFolder(ArchiveFolder.contentsName)
            if isNew {
                rmdir(path)
            }
            throw error
        }
        self.path = path
        self.isNew = isNew
        self.folder = folder
        writer = DescriptorWriter(descriptor: lines.descriptor)
    }

    /// Takes the next bytes of the archive.
    func take(_ bytes: [UInt8]) throws {
        try Interruption.check()
        reader.feed(bytes)
        while let record = try reader.next() {
            try take(record)
        }
    }

    private func take(_ record: ArchiveRecord) throws {
        if let bytes = record.filePiece {
            return try write(bytes)
        }
        let name = try contentName(of: record)
        content = try name.map { name in try contents.makeEmptyFile(name) }
        // The bytes of the archive that is read back may be others: only its counts hold.
        var line = record.counts.map(ArchiveRecord.footer) ?? record
        line.contentFile = name.map(ArchiveFolder.path)
        try writer.write(line.json + "\n")
    }

    /// - Returns: `nil` for a record without bytes.
    private func contentName(of record: ArchiveRecord) throws -> String? {
        switch record.kind {
        case .file:
            fileCount += 1
            return ArchiveFolder.nameOfFile(fileCount)
        case .content:
            guard let digest = record.digest else {
                throw CommandFailure(.damaged, "the archive is damaged: a content has no digest of 32 bytes")
            }
            return digest
        default: return nil
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        guard let file = content?.number else { return }
        do throws(SystemError) {
            try FileDescriptorCalls.write(file, bytes)
        } catch {
            throw CommandFailure(.inputOutput, "cannot write in \(path)/\(ArchiveFolder.contentsName): \(error)")
        }
    }

    /// Says that the archive has ended. When it returns, the folder survives a power loss.
    func finish() throws {
        try reader.finish()
        content = nil
        try writer.flush()
        try folder.syncFileSystem()
        try lines.place()
        try folder.syncFileSystem()
    }

    /// Removes what was written, as far as that goes.
    func discard() {
        content = nil
        contents.removeFiles()
        folder.removeFiles()
        folder.removeFolder(ArchiveFolder.contentsName)
        if isNew {
            rmdir(path)
        }
    }
}
