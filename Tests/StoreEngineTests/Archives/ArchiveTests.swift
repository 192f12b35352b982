import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct ArchiveTests {
    @Test func `an archive restores all content of the first store into an empty store`() throws {
        let (first, second) = (try TemporaryStore(), try TemporaryStore())
        try FullStore.fill(first.engine)
        let table = RecordTable()
        let file = try first.engine.archive(table)
        let dryRun = try second.engine.restore(file, table, .fillEmpty, isDryRun: true)
        #expect(dryRun.tally.added == dryRun.counts)
        #expect(try second.engine.statistics().revision == 0)
        let report = try second.engine.restore(file, table, .fillEmpty)
        #expect(report.tally.added == report.counts)
        #expect(report.contentID == dryRun.contentID)
        for kind in ArchiveKind.allCases where kind != .removal {
            #expect(report.counts[kind] > 0)
        }
        let (before, after) = (table.content, try second.engine.archived())
        #expect(before.count == after.count)
        for (left, right) in zip(before, after) {
            #expect(left == right)
        }
        #expect(try second.engine.readAll("a/large", .document) == FullStore.largeFile)
        #expect(try expectClean(second.engine) == [])
        try second.reopen()
        #expect(try expectClean(second.engine) == [])
        #expect(try second.engine.archived() == before)
    }

    @Test func `a repeated restore changes nothing`() throws {
        let (first, second) = (try TemporaryStore(), try TemporaryStore())
        try FullStore.fill(first.engine)
        let table = RecordTable()
        let file = try first.engine.archive(table)
        try second.engine.restore(file, table, .merge)
        let revision = try second.engine.statistics().revision
        let report = try second.engine.restore(file, table, .merge)
        #expect(report.tally.equal == report.counts)
        #expect(try second.engine.statistics().revision == revision)
        #expect(reason { try second.engine.restore(file, table, .fillEmpty) } == .storeNotEmpty)
        #expect(try first.engine.restore(file, table, .merge).tally.equal == report.counts)
    }

    @Test func `an archive shows the store at the moment at which the archive was begun`() throws {
        let store = try TemporaryStore()
        try FullStore.fill(store.engine)
        let before = try store.engine.archived()
        let table = RecordTable()
        let start = try store.engine.beginArchive(table)
        let large = try FilePath(.document, "a/large")
        let write = FileWriteRequest(path: large, place: .offset(0))
        guard case .begun(let id) = try store.engine.fileWrite(.begin(write)) else {
            throw StoreError(.internal, "what is begun has a session")
        }
        try store.engine.fileWrite(.write(id, offset: 0, data: [UInt8](repeating: 0, count: 200_000)))
        try store.engine.fileWrite(.finish(id))
        try store.engine.write(.deleteConversation(.session(try SessionID("alice"))))
        try store.engine.write(.deleteFile(try FilePath(.library, "copy")))
        try store.engine.write(.deleteFile(large))
        var file: [UInt8] = []
        while true {
            let piece = try store.engine.archivePiece(start.session, at: file.count)
            file += piece.data
            if piece.isLast { break }
        }
        #expect(table.content == before)
        #expect(try store.engine.archived().count < before.count)
    }

    @Test func `a sealed archive opens only with its passphrase or the key of a recipient`() throws {
        let store = try TemporaryStore()
        try FullStore.fill(store.engine)
        let pairs = RecipientKeys.all.prefix(2)
        let table = RecordTable()
        let passphrase = SlotSecretBox(try TemporaryStore.passphrase("correct"))
        let sealed = try store.engine.archive(table, .passphrase(passphrase, lowCost: true))
        let counts = try store.engine.restore(
            sealed, table, .verify, secret: try TemporaryStore.passphrase("correct")
        ).counts
        #expect(counts[.message] == 22)
        #expect(
            reason { try store.engine.restore(sealed, table, .verify, secret: try TemporaryStore.passphrase("wrong")) }
                == .archiveSecretWrong)
        #expect(reason { try store.engine.restore(sealed, table, .verify) } == .archiveSecretWrong)
        let forBoth = try store.engine.archive(table, .recipients(publicKeys: pairs.map(\.publicKey)))
        for pair in pairs {
            let report = try store.engine.restore(forBoth, table, .verify, secret: try pair.secret())
            #expect(report.counts == counts)
            #expect(report.isSealed)
        }
        #expect(
            reason { try store.engine.restore(forBoth, table, .verify, secret: try RecipientKeys.all[2].secret()) }
                == .archiveSecretWrong)
        #expect(
            reason {
                _ = try store.engine.archive(
                    table, .recipients(publicKeys: Array(repeating: pairs[0].publicKey, count: 17)))
            } == .invalidArgument)
    }

    @Test func `a restore that ends in the middle of a file leaves no part of the file in the vault`() throws {
        let first = try TemporaryStore()
        try FullStore.fill(first.engine)
        let table = RecordTable()
        let file = try first.engine.archive(table)
        let number = try #require(table.records.firstIndex { $0.isLargeFile })
        // The restore gets the archive only up to the first piece of the large file.
        let end = ArchiveForm.magic.count + (number + 2) * RecordTable.recordBytes
        let files = FileStore()
        let request = ArchiveRestoreRequest(coding: table, aim: .merge, isDryRun: false, secret: nil)
        guard case .restoreBegun(let session) = try files.engine.blob(.beginRestore(request)) else {
            throw StoreError(.internal, "what is begun has a session")
        }
        _ = try files.engine.blob(.writeRestore(session, offset: 0, data: Array(file.prefix(end))))
        _ = try files.engine.blob(.endArchive(session))
        try files.engine.waitForCleaning()
        // The only file in the vault is a content of attachments. It stays, because it comes before the large file in
        // the archive and is complete.
        #expect(try files.vaultFiles().count == 1)
        let report = try files.engine.restore(file, table, .merge)
        #expect(report.tally.kept == ArchiveCounts())
        // The files are the large file, its copy, and a content of attachments.
        #expect(try files.vaultFiles().count == 3)
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `a restore in use outlives the lifetime of sessions, and an archive does not`() throws {
        let store = try TemporaryStore()
        let restore = ArchiveRestoreRequest(coding: RecordTable(), aim: .merge, isDryRun: false, secret: nil)
        let commands: [BlobCommand] = [
            .beginRestore(restore), .archive(ArchiveRequest(coding: RecordTable(), sealing: .none)),
        ]
        for (command, survives) in zip(commands, [true, false]) {
            let sessions = BlobSessions(
                source: store.engine.blobSource, limits: BlobSessions.Limits(idle: .seconds(60), lifetime: .zero))
            _ = try sessions.perform(command, userID: 1)
            sessions.endIdle()
            #expect((sessions.millisecondsToIdleEnd != nil) == survives)
            sessions.endAll()
        }
    }

    @Test func `an archive that was cut or changed anywhere is refused before the store changes`() throws {
        let (first, second) = (try TemporaryStore(), try TemporaryStore())
        try FullStore.fill(first.engine)
        try first.engine.write(.deleteFile(try FilePath(.document, "a/large")))
        try first.engine.write(.deleteFile(try FilePath(.library, "copy")))
        let table = RecordTable()
        let file = try first.engine.archive(table)
        for length in stride(from: 0, to: file.count, by: TestTier.count(3, long: 1)) {
            #expect(
                reason { try second.engine.restore(Array(file.prefix(length)), table, .verify) } == .archiveDamaged)
        }
        for index in stride(from: 0, to: file.count, by: TestTier.count(21, long: 7)) {
            var changed = file
            changed[index] ^= 1
            #expect(reason { try second.engine.restore(changed, table, .merge, isDryRun: true) } == .archiveDamaged)
        }
        #expect(reason { try second.engine.restore(file + [0], table, .verify) } == .archiveDamaged)
        #expect(try second.engine.statistics().revision == 0)
    }
}

/// The key pair of a recipient. The secret key is one byte, repeated 32 times.
struct RecipientKeys {
    private let byte: UInt8
    let publicKey: [UInt8]

    static let all = [
        RecipientKeys(byte: 7, "13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"),
        RecipientKeys(byte: 8, "31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112"),
        RecipientKeys(byte: 9, "57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421"),
    ]

    private init(byte: UInt8, _ publicKey: String) {
        self.byte = byte
        self.publicKey = Hexadecimal.decode(publicKey) ?? []
    }

    func secret() throws -> SlotSecret {
        try TemporaryStore.keyFile(byte)
    }
}

extension ArchiveRecord {
    fileprivate var isLargeFile: Bool {
        if case .file(let file) = self { file.byteCount > EngineLimits.inlineFileBytesMax } else { false }
    }
}

extension StoreEngine {
    func readAll(_ path: String, _ area: FileArea) throws -> [UInt8] {
        let reader = makeReader()
        var bytes: [UInt8] = []
        while true {
            let part = try reader.readFile(at: try FilePath(area, path), from: UInt64(bytes.count))
            guard !part.bytes.isEmpty else { return bytes }
            bytes += part.bytes
        }
    }
}
