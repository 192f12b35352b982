import Interchange
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Tests of the file size that a client announces when it begins an import.
@Suite struct BlobAnnouncementTests {
    private static let messages = blobMessages(50)

    @Test(arguments: [false, true], [false, true])
    func `a file of the announced size is imported, also if no size is announced`(isSealed: Bool, isDryRun: Bool)
        throws
    {
        let store = try TemporaryStore()
        let file = try Self.file(isSealed: isSealed, from: store)
        for announced in [nil, file.count] {
            let report = try store.engine.importFile(
                file, to: "bob", isDryRun: isDryRun, secret: try Self.secret(isSealed), pieceBytes: 700,
                announcing: announced)
            #expect(report.messageCount == Self.messages.count)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a file that differs from its announced size is damaged at the byte where one of the sizes ends`(
        isSealed: Bool, isDryRun: Bool
    ) throws {
        let store = try TemporaryStore()
        let file = try Self.file(isSealed: isSealed, from: store)
        for announced in [0, 1, file.count - 1, file.count + 1, file.count + 500, Int.max] {
            let session = try store.engine.beginImport(
                "bob", isDryRun: isDryRun, secret: try Self.secret(isSealed), fileBytes: announced)
            let error = #expect(throws: StoreError.self) {
                for start in stride(from: 0, to: file.count, by: 700) {
                    let piece = Array(file[start..<min(start + 700, file.count)])
                    // A file that is too long must be refused before its end, at the announced size.
                    try #require(start <= announced)
                    _ = try store.engine.blob(.writeImport(session, offset: UInt64(start), data: piece))
                }
                try #require(announced > file.count)
                _ = try store.engine.blob(.finishImport(session))
            }
            #expect(error?.reason == .blobDamaged, "\(announced)")
            #expect(error?.message.contains("byte \(min(announced, file.count))") == true, "\(announced)")
            #expect(reason { _ = try store.engine.blob(.finishImport(session)) } == .blobSessionNotFound)
        }
        #expect(try store.engine.statistics().messageCount == Self.messages.count)
    }

    @Test func `an empty file may be announced, and any other size is then damage`() throws {
        let store = try TemporaryStore()
        #expect(try store.engine.importFile([], to: "bob", announcing: 0).messageCount == 0)
        #expect(reason { try store.engine.importFile([], to: "bob", announcing: 4) } == .blobDamaged)
        #expect(reason { try store.engine.importFile([0, 0, 0, 0], to: "bob", announcing: 0) } == .blobDamaged)
        #expect(reason { try store.engine.importFile([0, 0, 0, 0], to: "bob", announcing: 500) } == .blobDamaged)
    }

    private static func secret(_ isSealed: Bool) throws -> SlotSecret? {
        isSealed ? try TemporaryStore.passphrase("right") : nil
    }

    /// Returns an export. The exported messages stay in the store.
    private static func file(isSealed: Bool, from store: TemporaryStore) throws -> [UInt8] {
        try store.engine.importFile(BlobEncoder.encode(messages), to: "alice")
        let seal = FileSeal.passphrase(SlotSecretBox(try TemporaryStore.passphrase("right")), lowCost: true)
        return try store.engine.export("alice", sealing: isSealed ? seal : .none)
    }
}
