import Interchange
import StoreClient

/// Moves archives between the daemon and the disk, piece by piece.
struct ArchiveTransfer {
    private let client: StoreClient
    private let global: GlobalOptions

    init(_ session: Session) {
        client = session.client
        global = session.global
    }

    /// - Returns: bytes of the file.
    func download(_ archive: ArchiveExport, to writer: DescriptorWriter) async throws -> UInt64 {
        let bar = global.progressBar("archiving", .bytes)
        defer { bar.finish() }
        var offset: UInt64 = 0
        return try await ending(archive.session) {
            while true {
                let piece = try await client.readArchive(archive.session, offset: offset)
                try writer.write(piece.data)
                offset += UInt64(piece.data.count)
                bar.update(done: offset, total: nil, note: Quantity.bytes(offset))
                if piece.isLast {
                    break
                }
            }
            try writer.flush()
            return offset
        }
    }

    /// A session that failed holds a place and a snapshot no longer.
    private func ending<Value>(_ session: ArchiveSession, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            try? await client.endArchiveSession(session)
            throw error
        }
    }

    /// Sends a whole file.
    func upload(
        _ path: String, _ aim: ArchiveAim, isDryRun: Bool, _ opener: ArchiveOpener, label: String
    ) async throws -> ArchiveRestoreReport {
        let file = try InputFile(path)
        let bar = global.progressBar(label, .bytes)
        defer { bar.finish() }
        var piece = try file.readChunk(bytes: StoreClient.archivePieceBytesMax)
        let session = try await client.beginArchiveRestore(
            aim, isDryRun: isDryRun, secret: try opener.secret(forFileBeginning: piece, file.name))
        var offset: UInt64 = 0
        return try await ending(session) {
            while !piece.isEmpty {
                offset = try await client.writeArchiveRestore(session, offset: offset, data: piece)
                bar.update(done: offset, total: file.bytes, note: Quantity.bytes(offset))
                piece = try file.readChunk(bytes: StoreClient.archivePieceBytesMax)
            }
            return try await client.finishArchiveRestore(session)
        }
    }
}

/// What opens an archive: nothing, or a secret that is read once, when it is known to be needed, and may be used for
/// several calls.
final class ArchiveOpener {
    private let options: BlobSecretOptions
    private var given: SecretInput?

    init(_ options: BlobSecretOptions) {
        self.options = options
    }

    /// - Throws: where a secret is given for what is not sealed, and none for what is sealed for recipients.
    func secret(forFileBeginning prefix: [UInt8], _ name: String) throws -> SecretInput? {
        guard SealedFileHeader.isSealed(prefix, .archive) else {
            guard !options.isGiven else {
                throw CommandFailure(.badData, "\(name) is not sealed; hint: leave the secret out")
            }
            return nil
        }
        switch given {
        case .some(let secret): return try secret.copy()
        case .none: break
        }
        if case .recipients = try Self.header(prefix, name).seal, !options.isGiven {
            throw CommandFailure(.usage, "\(name) is sealed for recipients; hint: give --key-file")
        }
        let secret = try options.read()
        let copy = try secret.copy()
        given = consume secret
        return copy
    }

    private static func header(_ prefix: [UInt8], _ name: String) throws(CommandFailure) -> SealedFileHeader {
        do throws(InterchangeError) {
            return try SealedFileHeader(parsing: prefix, .archive)
        } catch {
            throw CommandFailure(.damaged, "\(name): \(error)")
        }
    }
}
