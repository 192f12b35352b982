import Interchange
import StoreClient

/// Transfers message files between the daemon and the disk in pieces.
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
        let session = PieceSession(bar) { [client] in try await client.endBlobSession(export.session) }
        let bytes = try await session.download(total: export.totalBytes) {
            let piece = try await client.readBlobExport(export.session, offset: $0)
            return (piece.data, piece.isLast)
        } take: {
            try writer.write($0)
        }
        try writer.flush()
        guard bytes == export.totalBytes else {
            throw CommandFailure(
                .damaged, "the export has \(bytes) bytes, but the daemon announced \(export.totalBytes)")
        }
    }

    /// Sends a whole file.
    func upload(
        _ path: String, _ options: BlobImportOptions, _ opener: SealOpener, label: String
    ) async throws -> BlobImportReport {
        let file = try BlobFile.open(path)
        let bar = global.progressBar(label, .bytes)
        defer { bar.finish() }
        var options = options
        options.totalBytes = file.bytes
        let first = try file.readChunk(bytes: StoreClient.blobPieceBytesMax)
        let started = try await client.beginBlobImport(
            options, secret: try opener.secret(forFileBeginning: first, path))
        let session = PieceSession(bar) { [client] in try await client.endBlobSession(started) }
        var unsent: [UInt8]? = first
        return try await session.upload(total: file.bytes) {
            try unsent.take() ?? file.readChunk(bytes: StoreClient.blobPieceBytesMax)
        } send: {
            try await client.writeBlobImport(started, offset: $0, data: $1)
        } finish: {
            try await client.finishBlobImport(started)
        }
    }
}

/// Opens message files on disk.
enum BlobFile {
    /// - Throws: `.usage` for standard input, because a message file is read twice.
    static func open(_ path: String) throws(CommandFailure) -> InputFile {
        guard path != "-" else {
            throw CommandFailure(.usage, "standard input cannot be read twice; hint: give a file")
        }
        return try InputFile(path)
    }

    /// - Returns: The header; `nil` for a file that is not sealed.
    static func sealedHeader(of path: String) throws(CommandFailure) -> SealedFileHeader? {
        let prefix = try open(path).readChunk(bytes: SealedFileHeader.bytesMax)
        return try SealedFileFormat.messages.header(ofFileBeginning: prefix, path)
    }
}
