import FoundationEssentials
import StoreProtocol

/// Conversations as message files, plain and sealed, piece by piece (proto-docs/BLOBS.md). Nothing here is repeated by
/// itself after a lost connection: begin again.
extension StoreClient {
    /// Bytes of the largest piece, either way.
    public static let blobPieceBytesMax = 1 << 20

    /// Begins the export of a conversation as it is now. Read its pieces with `readBlobExport`.
    public func beginBlobExport(
        of conversation: ConversationReference, filter: BlobFilter = BlobFilter(),
        seal: consuming BlobSeal = .none
    ) async throws(StoreClientError) -> BlobExport {
        var call = WireBeginBlobExportRequest(conversation, filter)
        var secrets = SecretList()
        switch consume seal {
        case .none:
            break
        case .passphrase(let passphrase, let lowCost):
            call.passphrase = secrets.add(passphrase)
            call.lowCost = lowCost
        case .recipient(let publicKey):
            call.recipientPublicKey = Data(publicKey)
        }
        let body = try RequestBody(.beginBlobExport(call), secrets: secrets)
        let begun = try await finalAnswer(to: body, .session(.blob)).result { result in
            if case .blobExport(let begun) = result { begun } else { nil }
        }
        return BlobExport(
            session: BlobSession(number: begun.session), messageCount: Int(clamping: begun.messageCount),
            totalBytes: begun.totalBytes)
    }

    /// The next piece of an export.
    ///
    /// - Parameters:
    ///   - session: of `beginBlobExport`.
    ///   - offset: where the piece before it ended; 0 for the first.
    public func readBlobExport(
        _ session: BlobSession, offset: UInt64
    ) async throws(StoreClientError) -> BlobPiece {
        var call = WireReadBlobExportRequest()
        call.session = session.number
        call.offset = offset
        let piece = try await answer(to: .readBlobExport(call), .once) { result in
            if case .blobExportPiece(let piece) = result { piece } else { nil }
        }
        if piece.isLast {
            connection.lines.beginning(.blob).ended.leave()
        }
        return BlobPiece(data: Array(piece.data), isLast: piece.isLast)
    }

    /// Begins an import. Write the file with `writeBlobImport`, then `finishBlobImport`: once as a dry run, which
    /// checks all of it, then again.
    ///
    /// - Parameters:
    ///   - options: where the messages go, and how.
    ///   - secret: opens a sealed file: its passphrase, or the 32 bytes of the recipient's secret key as a key file.
    ///     Left out for a file that is not sealed.
    public func beginBlobImport(
        _ options: BlobImportOptions, secret: consuming SecretInput? = nil
    ) async throws(StoreClientError) -> BlobSession {
        var call = WireBeginBlobImportRequest(options)
        var secrets = SecretList()
        if let secret = consume secret {
            call.secret = secrets.add(secret)
        }
        let body = try RequestBody(.beginBlobImport(call), secrets: secrets)
        let number = try await finalAnswer(to: body, .session(.blob)).result { result in
            if case .blobImport(let begun) = result { begun.session } else { nil }
        }
        return BlobSession(number: number)
    }

    /// Sends the next piece, at most `blobPieceBytesMax` bytes.
    ///
    /// - Parameters:
    ///   - session: of `beginBlobImport`.
    ///   - offset: where the piece before it ended; 0 for the first.
    ///   - data: 1 to `blobPieceBytesMax` bytes.
    /// - Returns: bytes the daemon has in all.
    /// - Throws: `.blobDamaged` with a message that names the byte; also for more than `BlobImportOptions.totalBytes`.
    @discardableResult
    public func writeBlobImport(
        _ session: BlobSession, offset: UInt64, data: [UInt8]
    ) async throws(StoreClientError) -> UInt64 {
        var call = WireWriteBlobImportRequest()
        call.session = session.number
        call.offset = offset
        call.data = Data(data)
        return try await answer(to: .writeBlobImport(call), .once) { result in
            if case .blobImportProgress(let progress) = result { progress.bytesReceived } else { nil }
        }
    }

    /// Says that the file has ended. When it returns, every message is on disk, unless it is a dry run.
    ///
    /// - Throws: `.blobDamaged` where the file ends inside a message, or before `BlobImportOptions.totalBytes`.
    public func finishBlobImport(_ session: BlobSession) async throws(StoreClientError) -> BlobImportReport {
        var call = WireFinishBlobImportRequest()
        defer { connection.lines.beginning(.blob).ended.leave() }
        call.session = session.number
        return try await answer(to: .finishBlobImport(call), .once) { result in
            if case .blobImportReport(let report) = result { BlobImportReport(report) } else { nil }
        }
    }

    /// Ends an export or import before its time; nothing happens when it has ended already.
    public func endBlobSession(_ session: BlobSession) async throws(StoreClientError) {
        var call = WireEndBlobSessionRequest()
        defer { connection.lines.beginning(.blob).ended.leave() }
        call.session = session.number
        try await answer(to: .endBlobSession(call), .once) { result in
            if case .blobSessionEnded = result { () } else { nil }
        }
    }
}
