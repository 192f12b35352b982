import GhostTestSupport
import StoreClient

/// Exports, imports and archives. The daemon limits how many of them run at the same time.
enum ParallelSessionTries {
    typealias Try = ParallelTry<StoreClient>

    private static let talk = ConversationReference.sessionID("05a")

    static let all: [Try] = [
        Try("beginBlobExport") { client, _ in _ = try await export(client) },
        Try("beginBlobImport") { client, number in
            let bytes = try await export(client)
            let session = try await client.beginBlobImport(
                BlobImportOptions(conversation: .sessionID("05b"), importID: "i\(number)"))
            try await client.writeBlobImport(session, offset: 0, data: bytes)
            _ = try await client.finishBlobImport(session)
        },
        Try("beginBlobExport with a passphrase") { client, _ in
            _ = try await export(client, seal: .passphrase(secretInput("long words"), lowCost: true))
        },
        Try("beginBlobImport with a passphrase") { client, _ in
            let sealed = try await export(client, seal: .passphrase(secretInput("long words"), lowCost: true))
            let session = try await client.beginBlobImport(
                BlobImportOptions(isDryRun: true), secret: secretInput("long words"))
            try await client.writeBlobImport(session, offset: 0, data: sealed)
            _ = try await client.finishBlobImport(session)
        },
        Try("beginArchive") { client, _ in _ = try await archive(client) },
        Try("beginArchive with a passphrase") { client, _ in
            _ = try await archive(client, seal: .passphrase(secretInput("long words"), lowCost: true))
        },
        Try("beginArchiveRestore") { client, number in
            let bytes = try await archive(client)
            let session = try await client.beginArchiveRestore(.verify)
            try await client.writeArchiveRestore(session, offset: 0, data: bytes)
            if number % 2 == 0 {
                _ = try await client.finishArchiveRestore(session)
            } else {
                try await client.endArchiveSession(session)
            }
        },
    ]

    private static func export(
        _ client: StoreClient, seal: consuming BlobSeal = .none
    ) async throws(StoreClientError) -> [UInt8] {
        let export = try await client.beginBlobExport(of: talk, seal: seal)
        var bytes: [UInt8] = []
        while true {
            let piece = try await client.readBlobExport(export.session, offset: UInt64(bytes.count))
            bytes += piece.data
            guard !piece.isLast else { break }
        }
        try await client.endBlobSession(export.session)
        return bytes
    }

    private static func archive(
        _ client: StoreClient, seal: consuming ArchiveSeal = .none
    ) async throws(StoreClientError) -> [UInt8] {
        let export = try await client.beginArchive(seal: seal)
        var bytes: [UInt8] = []
        while true {
            let piece = try await client.readArchive(export.session, offset: UInt64(bytes.count))
            bytes += piece.data
            guard !piece.isLast else { break }
        }
        try await client.endArchiveSession(export.session)
        return bytes
    }
}
