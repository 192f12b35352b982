import Interchange
import StoreClient

/// Moves message files between the daemon and the disk, piece by piece.
struct BlobTransfer {
    private let client: StoreClient
    private let global: GlobalOptions

    init(_ session: Session) {
        client = session.client
        global = session.global
    }

    func download(_ export: BlobExport, to writer: DescriptorWriter) async throws {
        let bar = global.progressBar("exporting", .bytes)
        defer { bar.finish() }
        var offset: UInt64 = 0
        while true {
            let piece = try await client.readBlobExport(export.session, offset: offset)
            try writer.write(piece.data)
            offset += UInt64(piece.data.count)
            bar.update(done: offset, total: export.totalBytes, note: Quantity.bytes(offset))
            if piece.isLast {
                break
            }
        }
        try writer.flush()
        guard offset == export.totalBytes else {
            throw CommandFailure(.damaged, "the export has \(offset) bytes where \(export.totalBytes) were announced")
        }
    }

    /// Sends a whole file.
    func upload(
        _ path: String, _ options: BlobImportOptions, _ opener: BlobOpener, label: String
    ) async throws -> BlobImportReport {
        let file = try InputFile(path)
        let bar = global.progressBar(label, .bytes)
        defer { bar.finish() }
        var options = options
        options.totalBytes = file.bytes
        let session = try await client.beginBlobImport(options, secret: try opener.secret())
        var offset: UInt64 = 0
        while true {
            let piece = try file.readChunk(bytes: StoreClient.blobPieceBytesMax)
            guard !piece.isEmpty else { break }
            offset = try await client.writeBlobImport(session, offset: offset, data: piece)
            bar.update(done: offset, total: file.bytes, note: Quantity.bytes(offset))
        }
        return try await client.finishBlobImport(session)
    }
}

/// What opens a message file: nothing, or a secret that is read once and may be used for several calls.
final class BlobOpener {
    private let given: SecretInput?

    /// - Throws: where the file is sealed for a recipient and no key file is given.
    init(_ path: String, _ options: BlobSecretOptions) throws {
        given = try Self.read(path, options)
    }

    func secret() throws -> SecretInput? {
        switch given {
        case .some(let secret): try secret.copy()
        case .none: nil
        }
    }

    private static func read(_ path: String, _ options: BlobSecretOptions) throws -> SecretInput? {
        guard let header = try BlobFile.sealedHeader(of: path) else {
            guard !options.isGiven else {
                throw CommandFailure(.badData, "\(path) is not sealed; hint: leave the secret out")
            }
            return nil
        }
        switch header.seal {
        case .passphrase:
            return try options.read()
        case .recipients:
            guard options.isGiven else {
                throw CommandFailure(.usage, "\(path) is sealed for a recipient; hint: give --key-file")
            }
            return try options.read()
        }
    }
}

/// Looks at message files on disk.
enum BlobFile {
    /// - Returns: `nil` for a file that is not sealed.
    /// - Throws: `.damaged` for a sealed file of which no header can be read; `.usage` for standard input: what follows
    ///   the header is read by another hand, from the start.
    static func sealedHeader(of path: String) throws(CommandFailure) -> SealedFileHeader? {
        guard path != "-" else {
            throw CommandFailure(.usage, "standard input cannot be read twice; hint: give a file")
        }
        let prefix = try InputFile(path).readChunk(bytes: SealedFileHeader.bytesMax)
        guard SealedFileHeader.isSealed(prefix) else { return nil }
        do throws(InterchangeError) {
            return try SealedFileHeader(parsing: prefix)
        } catch {
            throw CommandFailure(.damaged, "\(path): \(error)")
        }
    }
}
