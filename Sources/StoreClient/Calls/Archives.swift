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
        return ArchiveExport(begun)
    }
}
