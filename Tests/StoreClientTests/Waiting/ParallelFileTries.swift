import GhostTestSupport
import StoreClient
import TestBasics

/// Calls about files and contents. Each uses what the calls before it have stored.
enum ParallelFileTries {
    typealias Try = ParallelTry<StoreClient>

    static let all = whole + appends + inPieces + trees

    /// A content that is large enough to be written in pieces.
    static let large = [UInt8](repeating: 7, count: TestTier.count(70_000, long: 100_000))
    static let few = VaultPath(.document, "few")
    static let many = VaultPath(.document, "many")

    private static let shared = VaultPath(.document, "shared")

    private static func own(_ number: Int) -> VaultPath {
        VaultPath(.document, "f\(number)")
    }

    /// Returns the content of one write: one byte for even numbers, a large content for odd ones.
    static func piece(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 2 == 0 ? 1 : 70_000)
    }

    private static let whole: [Try] = [
        Try("saveFile") { try await $0.saveFile([1], at: own($1)) },
        Try("saveFile large") { try await $0.saveFile(large, at: own($1)) },
        Try("saveFile large, in one place") { try await $0.saveFile(piece($1 | 1), at: shared) },
    ]

    private static let appends: [Try] = [
        Try("appendFile") { try await $0.appendFile([2], at: own($1)) },
        Try("appendFile large") { try await $0.appendFile(large, at: own($1)) },
        Try("appendFile in one place") { try await $0.appendFile([UInt8($1)], at: few) },
        Try("appendFile in one place, small and large") { try await $0.appendFile(piece($1), at: many) },
    ]

    private static let inPieces: [Try] = [
        Try("beginFileWrite") { client, number in
            var writer = try await client.beginFileWrite(at: own(number))
            try await writer.write(large + large)
            try await writer.finish()
        },
        Try("end") { client, number in
            var writer = try await client.beginFileWrite(at: own(number), .end)
            try await writer.write(large)
            try await writer.end()
        },
        Try("writeAttachment") { client, number in _ = try await client.writeAttachment(piece(number)) },
        Try("beginAttachmentWrite") { client, number in
            var writer = try await client.beginAttachmentWrite()
            try await writer.write(piece(number))
            _ = try await writer.finishAttachment()
        },
    ]

    private static let trees: [Try] = [
        Try("copyFile") { try await $0.copyFile(from: shared, to: VaultPath(.cache, "c\($1)")) },
        Try("moveFile") { try await $0.moveFile(from: VaultPath(.cache, "c\($1)"), to: VaultPath(.cache, "d\($1)")) },
        Try("deleteFile") { try await $0.deleteFile(at: VaultPath(.cache, "d\($1)")) },
        Try("createDirectory") { client, number in
            try await client.createDirectory(at: VaultPath(.library, "a/b\(number)"), createsParents: true)
        },
        Try("removeDirectory") { try await $0.removeDirectory(at: VaultPath(.library, "a/b\($1)")) },
    ]
}
