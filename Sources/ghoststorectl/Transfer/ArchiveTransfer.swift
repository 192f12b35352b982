import StoreClient

/// Transfers archives between the daemon and the disk in pieces.
struct ArchiveTransfer {
    private let client: StoreClient
    private let global: GlobalOptions

    init(_ session: Session) {
        client = session.client
        global = session.global
    }

    /// - Returns: The size of the file in bytes.
    func download(_ archive: ArchiveExport, to writer: DescriptorWriter) async throws -> UInt64 {
        let bytes = try await download(archive) { try writer.write($0) }
        try writer.flush()
        return bytes
    }

    /// - Parameter take: Receives each piece of the archive.
    /// - Returns: The size of the archive in bytes.
    func download(_ archive: ArchiveExport, _ take: ([UInt8]) throws -> Void) async throws -> UInt64 {
        let bar = global.progressBar("archiving", .bytes)
        defer { bar.finish() }
        let session = PieceSession(bar) { [client] in try await client.endArchiveSession(archive.session) }
        return try await session.download {
            let piece = try await client.readArchive(archive.session, offset: $0)
            return (piece.data, piece.isLast)
        } take: {
            try take($0)
        }
    }

    /// Sends a whole archive file.
    func upload(
        _ path: String, _ aim: ArchiveAim, isDryRun: Bool, _ opener: SealOpener, label: String
    ) async throws -> ArchiveRestoreReport {
        let file = try InputFile(path)
        let first = try file.readChunk(bytes: StoreClient.archivePieceBytesMax)
        let restore = try await client.beginArchiveRestore(
            aim, isDryRun: isDryRun, secret: try opener.secret(forFileBeginning: first, file.name))
        var unsent: [UInt8]? = first
        return try await upload(restore, total: file.bytes, label: label) {
            try unsent.take() ?? file.readChunk(bytes: StoreClient.archivePieceBytesMax)
        }
    }

    /// Creates a folder of JSON Lines. If this fails, the folder is removed.
    ///
    /// - Returns: The size in bytes of the archive that the folder is made from.
    func download(_ archive: ArchiveExport, toFolder path: String) async throws -> UInt64 {
        try await Interruption.deferred("removing what was written") {
            let writer: ArchiveFolderWriter
            do throws(CommandFailure) {
                writer = try ArchiveFolderWriter(path)
            } catch {
                try? await client.endArchiveSession(archive.session)
                throw error
            }
            do {
                let bytes = try await download(archive) { try writer.process($0) }
                try writer.finish()
                return bytes
            } catch {
                writer.discard()
                throw error
            }
        }
    }

    /// Sends a folder of JSON Lines as a plain archive.
    func upload(
        folder path: String, _ aim: ArchiveAim, isDryRun: Bool, label: String
    ) async throws -> ArchiveRestoreReport {
        let source = try ArchiveFolderBytes(path)
        let restore = try await client.beginArchiveRestore(aim, isDryRun: isDryRun, withoutDigest: true)
        do {
            return try await upload(restore, total: nil, label: label) {
                try source.next(atMost: StoreClient.archivePieceBytesMax)
            }
        } catch let error as StoreClientError {
            throw source.failure(of: error)
        }
    }

    /// - Parameter next: Returns the next piece of the archive, and an empty one at the end.
    private func upload(
        _ restore: ArchiveSession, total: UInt64?, label: String, _ next: () throws -> [UInt8]
    ) async throws -> ArchiveRestoreReport {
        let bar = global.progressBar(label, .bytes)
        defer { bar.finish() }
        let session = PieceSession(bar) { [client] in try await client.endArchiveSession(restore) }
        return try await session.upload(total: total) {
            try next()
        } send: {
            try await client.writeArchiveRestore(restore, offset: $0, data: $1)
        } finish: {
            try await client.finishArchiveRestore(restore)
        }
    }
}
