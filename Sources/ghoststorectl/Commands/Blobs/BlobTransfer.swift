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
        let bar = global.progressBar("exporting")
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
        let bar = global.progressBar(label)
        defer { bar.finish() }
        var options = options
        options.totalBytes = file.bytes
        let session = try await client.beginBlobImport(options, secret: try opener.secret())
        var offset: UInt64 = 0
        while true {
            let piece = try file.readChunk(bytes: StoreClient.blobPieceBytesMax)
            guard !piece.isEmpty else {
                break
            }
            offset = try await client.writeBlobImport(session, offset: offset, data: piece)
            bar.update(done: offset, total: file.bytes, note: Quantity.bytes(offset))
        }
        return try await client.finishBlobImport(session)
    }
}
