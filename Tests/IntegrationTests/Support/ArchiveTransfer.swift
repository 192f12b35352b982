import StoreClient

extension StoreClient {
    private static let archivePieceBytes = 64 << 10

    /// Returns the bytes of an archive of the whole store.
    func archive() async throws -> [UInt8] {
        let archive = try await beginArchive()
        var bytes: [UInt8] = []
        while true {
            let piece = try await readArchive(archive.session, offset: UInt64(bytes.count))
            bytes += piece.data
            guard !piece.isLast else { return bytes }
        }
    }

    func restore(_ archive: [UInt8]) async throws -> ArchiveRestoreReport {
        let session = try await beginArchiveRestore(.merge)
        for start in stride(from: 0, to: archive.count, by: Self.archivePieceBytes) {
            try await writeArchiveRestore(
                session, offset: UInt64(start),
                data: Array(archive[start..<min(archive.count, start + Self.archivePieceBytes)]))
        }
        return try await finishArchiveRestore(session)
    }
}
