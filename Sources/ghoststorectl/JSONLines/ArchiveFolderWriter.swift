import Glibc
import StoreBasics
import StoreClient

/// Creates a folder of JSON Lines from the bytes of a plain archive as they arrive. The file with the lines gets its
/// name only when everything is durable. A folder without that file is incomplete and is not accepted as an archive.
///
/// Only one task uses it. The names of files never come from the store, except digests, which are hexadecimal digits.
final class ArchiveFolderWriter {
    private let path: String
    private let folder: HostFolder
    private let contents: HostFolder
    private let isNew: Bool
    private let lines: NewFile
    private let writer: DescriptorWriter
    private var reader = ArchiveRecordReader()
    private var fileCount = 0
    /// The open file in the folder of contents that the next pieces of bytes are written to.
    private var content: OwnedDescriptor?

    /// - Parameter path: The path of the folder, which is created or must be empty.
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

    /// Decodes the next bytes of the archive, and writes the records that are complete with them.
    func process(_ bytes: [UInt8]) throws {
        try Interruption.check()
        reader.feed(bytes)
        while let record = try reader.next() {
            try process(record)
        }
    }

    private func process(_ record: ArchiveRecord) throws {
        if let bytes = record.filePiece {
            return try write(bytes)
        }
        let name = try nextContentName(for: record)
        content = try name.map { name in try contents.makeEmptyFile(name) }
        // An archive that is later made from the folder may have other bytes, so the footer contains only the counts
        // and no digest.
        var line = record.counts.map(ArchiveRecord.footer) ?? record
        line.contentFile = name.map(ArchiveFolder.path)
        try writer.write(line.json + "\n")
    }

    /// - Returns: The name; `nil` for a record without bytes.
    private func nextContentName(for record: ArchiveRecord) throws -> String? {
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

    /// Completes the folder at the end of the archive. When it returns, the folder survives a power loss.
    func finish() throws {
        try reader.finish()
        content = nil
        try writer.flush()
        try folder.syncFileSystem()
        try lines.place()
        try folder.syncFileSystem()
    }

    /// Removes the written files as far as possible.
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
