import StoreClient

/// Reads a folder of JSON Lines as the records of an archive. The bytes of a file or content follow its record as
/// pieces. It follows no symbolic link in the folder and never leaves the folder. Failures contain the number of the
/// line. Only one task uses it.
final class ArchiveFolderReader {
    private static let pieceBytesMax = 256 << 10

    private struct OpenContent: ~Copyable {
        let file: InputFile
        var bytesLeft: UInt64
    }

    private let folder: HostFolder
    private let input: InputFile
    private let lines: LineReader
    private var content: OpenContent?

    init(_ path: String) throws(CommandFailure) {
        folder = try HostFolder(path)
        guard try folder.names().contains(ArchiveFolder.linesName) else {
            throw CommandFailure(
                .noInput,
                "\(path) has no \(ArchiveFolder.linesName); hint: the folder is not an archive, or is not complete")
        }
        switch try folder.entry(ArchiveFolder.linesName) {
        case .file(let file): input = file
        case .folder: throw Self.cannotBeRead(path, ArchiveFolder.linesName, "is a folder")
        case .other(let what): throw Self.cannotBeRead(path, ArchiveFolder.linesName, what)
        }
        lines = LineReader(descriptor: input.descriptor)
    }

    /// The number of the line that was read last, starting at 1.
    var lineNumber: UInt64 { lines.lineNumber }

    func failure(_ cause: String, atLine number: UInt64) -> CommandFailure {
        CommandFailure(.badData, "\(folder.path)/\(ArchiveFolder.linesName): line \(number): \(cause)")
    }

    /// - Returns: The next record or piece; `nil` after the last line.
    func next() throws(CommandFailure) -> ArchiveRecord? {
        if let piece = try nextPiece() {
            return ArchiveRecord(filePiece: piece)
        }
        while let bytes = try nextLine() {
            if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                continue
            }
            do throws(JSONError) {
                return try record(bytes)
            } catch {
                throw failure(error.message, atLine: lineNumber)
            }
        }
        return nil
    }

    /// Decodes a line, and opens the file with the bytes of the record.
    private func record(_ line: [UInt8]) throws(JSONError) -> ArchiveRecord {
        guard let text = String(validating: line, as: UTF8.self) else { throw JSONError("the line is not UTF-8") }
        let record: ArchiveRecord
        do throws(StoreClientError) {
            record = try ArchiveRecord(json: text)
        } catch {
            throw JSONError(error.message)
        }
        switch (record.contentBytes, record.contentFile) {
        case (let byteCount?, let path?): try open(path, byteCount: byteCount)
        case (_?, nil): throw JSONError("the field 'contentFile' is missing")
        case (nil, _?): throw JSONError("only the records of files and contents have the field 'contentFile'")
        case (nil, nil) where record.kind == .filePiece:
            throw JSONError("a line cannot be a filePiece; hint: write the bytes to the contentFile")
        case (nil, nil): break
        }
        return record
    }

    private func nextLine() throws(CommandFailure) -> [UInt8]? {
        do throws(CommandFailure) {
            return try lines.next()
        } catch {
            throw error.saying { "\(folder.path)/\(ArchiveFolder.linesName): \($0)" }
        }
    }

    private func open(_ path: String, byteCount: UInt64) throws(JSONError) {
        let name = try ArchiveFolder.name(at: path)
        do throws(CommandFailure) {
            switch try folder.entry(ArchiveFolder.contentsName) {
            case .folder(let contents): try open(contents.entry(name), path, byteCount: byteCount)
            case .file: throw CommandFailure(.noInput, "\(ArchiveFolder.contentsName) is not a folder")
            case .other(let what): throw CommandFailure(.noInput, "\(ArchiveFolder.contentsName) \(what)")
            }
        } catch {
            throw JSONError(error.message)
        }
    }

    private func open(
        _ entry: consuming HostFolder.Entry, _ path: String, byteCount: UInt64
    ) throws(CommandFailure) {
        switch consume entry {
        case .folder: throw CommandFailure(.noInput, "\(path) is a folder")
        case .other(let what): throw CommandFailure(.noInput, "\(path) \(what)")
        case .file(let file):
            guard file.bytes == byteCount else {
                let found = file.bytes.map { "\($0)" } ?? "no"
                throw CommandFailure(.badData, "\(path) has \(found) bytes, but the line says \(byteCount)")
            }
            content = byteCount > 0 ? OpenContent(file: file, bytesLeft: byteCount) : nil
        }
    }

    /// - Returns: The next piece; `nil` if no content is open or all of it was returned.
    private func nextPiece() throws(CommandFailure) -> [UInt8]? {
        guard var open = content.take() else { return nil }
        let piece = try open.file.readChunk(bytes: Int(min(UInt64(Self.pieceBytesMax), open.bytesLeft)))
        guard !piece.isEmpty else {
            throw failure("\(open.file.name) has become shorter while it was read", atLine: lineNumber)
        }
        open.bytesLeft -= UInt64(piece.count)
        if open.bytesLeft > 0 {
            content = consume open
        }
        return piece
    }

    private static func cannotBeRead(_ path: String, _ name: String, _ what: String) -> CommandFailure {
        CommandFailure(.noInput, "\(path)/\(name) \(what)")
    }
}
