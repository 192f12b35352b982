import FoundationEssentials
import StoreProtocol

/// Everything that the store holds as one file, plain or sealed, piece by piece (proto-docs/ARCHIVE.md). Nothing here
/// is repeated by itself after a lost connection: begin again.
extension StoreClient {
    /// Bytes of the largest piece, either way.
    public static let archivePieceBytesMax = 1 << 20

    /// Begins an archive of the store as it is now. Read its pieces with `readArchive`. Needs administration and the
    /// right to read every area.
    ///
    /// - Parameters:
    ///   - seal: how it is sealed.
    ///   - revision: 0 for everything. Else the archive holds what was made, changed or removed after this revision,
    ///     and is merged into a store that has what was there before. Ask with `with(history:)`: a revision means
    ///     nothing in another history.
    /// - Throws: `.changesCompacted` where the store no longer knows what has changed since: make an archive of
    ///   everything; `.revisionAhead` for a revision that it has not come to. One of a store that is `.databaseDamaged`
    ///   (`status`) may lack what was saved last, and hold what was deleted last.
    public func beginArchive(
        seal: consuming ArchiveSeal = .none, sinceRevision revision: UInt64 = 0
    ) async throws(StoreClientError) -> ArchiveExport {
        var call = WireBeginArchiveRequest()
        call.sinceRevision = revision
        var secrets = SecretList()
        switch consume seal {
        case .none:
            break
        case .passphrase(let passphrase, let lowCost):
            call.passphrase = secrets.add(passphrase)
            call.lowCost = lowCost
        case .recipients(let publicKeys):
            call.recipientPublicKeys = publicKeys.map { Data($0) }
        }
        let body = try RequestBody(.beginArchive(call), secrets: secrets)
        let begun = try await finalAnswer(to: body, .session(.blob)).result { result in
            if case .archive(let begun) = result { begun } else { nil }
        }
        return ArchiveExport(
            session: ArchiveSession(number: begun.session), revision: begun.revision,
            createdAt: Timestamp(microseconds: begun.createdAtMicroseconds))
    }

    /// The next piece of an archive.
    ///
    /// - Parameters:
    ///   - session: of `beginArchive`.
    ///   - offset: where the piece before it ended; 0 for the first.
    public func readArchive(
        _ session: ArchiveSession, offset: UInt64
    ) async throws(StoreClientError) -> ArchivePiece {
        var call = WireReadArchiveRequest()
        call.session = session.number
        call.offset = offset
        let piece = try await answer(to: .readArchive(call), .once) { result in
            if case .archivePiece(let piece) = result { piece } else { nil }
        }
        if piece.isLast {
            connection.lines.beginning(.blob).ended.leave()
        }
        return ArchivePiece(data: Array(piece.data), isLast: piece.isLast)
    }

    /// Begins a restore. Write the file with `writeArchiveRestore`, then `finishArchiveRestore`: once as a dry run,
    /// which checks all of it, then again. Needs administration and the right to write every area.
    ///
    /// - Parameters:
    ///   - aim: what to do with the archive.
    ///   - isDryRun: find out what it would come to, change nothing.
    ///   - secret: opens a sealed archive: its passphrase, or the 32 bytes of a recipient's secret key as a key file.
    ///     Left out for an archive that is not sealed.
    ///   - withoutDigest: the archive may be one that was made by hand, whose footer has no digest.
    /// - Throws: `.storeNotEmpty` where the store is to be empty and is not.
    public func beginArchiveRestore(
        _ aim: ArchiveAim, isDryRun: Bool = false, secret: consuming SecretInput? = nil, withoutDigest: Bool = false
    ) async throws(StoreClientError) -> ArchiveSession {
        var call = WireBeginArchiveRestoreRequest()
        call.aim = WireArchiveAim(aim)
        call.dryRun = isDryRun
        call.withoutDigest = withoutDigest
        var secrets = SecretList()
        if let secret = consume secret {
            call.secret = secrets.add(secret)
        }
        let body = try RequestBody(.beginArchiveRestore(call), secrets: secrets)
        let number = try await finalAnswer(to: body, .session(.blob)).result { result in
            if case .archiveRestore(let begun) = result { begun.session } else { nil }
        }
        return ArchiveSession(number: number)
    }

    /// Sends the next piece.
    ///
    /// - Parameters:
    ///   - session: of `beginArchiveRestore`.
    ///   - offset: where the piece before it ended; 0 for the first.
    ///   - data: 1 to `archivePieceBytesMax` bytes, the first piece at least 16.
    /// - Returns: bytes the daemon has in all.
    /// - Throws: `.archiveDamaged` with a message that names the byte.
    @discardableResult
    public func writeArchiveRestore(
        _ session: ArchiveSession, offset: UInt64, data: [UInt8]
    ) async throws(StoreClientError) -> UInt64 {
        var call = WireWriteArchiveRestoreRequest()
        call.session = session.number
        call.offset = offset
        call.data = Data(data)
        return try await answer(to: .writeArchiveRestore(call), .once) { result in
            if case .archiveRestoreProgress(let progress) = result { progress.bytesReceived } else { nil }
        }
    }

    /// Says that the file has ended. When it returns, everything is on disk, unless it is a dry run.
    ///
    /// - Throws: `.archiveDamaged` where the archive is not whole; what was restored of it stays.
    public func finishArchiveRestore(
        _ session: ArchiveSession
    ) async throws(StoreClientError) -> ArchiveRestoreReport {
        var call = WireFinishArchiveRestoreRequest()
        defer { connection.lines.beginning(.blob).ended.leave() }
        call.session = session.number
        return try await answer(to: .finishArchiveRestore(call), .once) { result in
            if case .archiveRestoreReport(let report) = result { ArchiveRestoreReport(report) } else { nil }
        }
    }

    /// Ends an archive or a restore before its time; nothing happens when it has ended already.
    public func endArchiveSession(_ session: ArchiveSession) async throws(StoreClientError) {
        var call = WireEndArchiveSessionRequest()
        defer { connection.lines.beginning(.blob).ended.leave() }
        call.session = session.number
        try await answer(to: .endArchiveSession(call), .once) { result in
            if case .archiveSessionEnded = result { () } else { nil }
        }
    }
}
