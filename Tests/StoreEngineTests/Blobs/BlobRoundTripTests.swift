import Interchange
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

@Suite struct BlobRoundTripTests {
    @Test(arguments: [1_000, 1 << 20])
    func `an imported file exports as the same bytes, in pieces of any size`(pieceBytes: Int) throws {
        let store = try TemporaryStore()
        let file = BlobEncoder.encode(blobMessages(1_200, textBytes: 900))
        let report = try store.engine.importFile(file, to: "alice", pieceBytes: pieceBytes)
        #expect(report.messageCount == 1_200 && report.createdCount == 1_200 && report.updatedCount == 0)
        #expect(report.contentBytes == UInt64(file.count))
        #expect(try store.engine.export("alice") == file)
        #expect(try expectClean(store.engine).isEmpty)
    }

    @Test func `a conversation larger than many pieces is exported in pieces of at most 1 MiB`() throws {
        let store = try TemporaryStore()
        let texts = (0..<9).map { index in
            BlobMessage(
                text: String(repeating: "\(index)", count: 1 << 20), isSent: false, type: .long,
                timestampMilliseconds: Int64(index))
        }
        let file = BlobEncoder.encode(texts)
        try store.engine.importFile(file, to: "alice")
        let start = try store.engine.beginExport("alice")
        #expect(start.messageCount == 9 && start.totalBytes == UInt64(file.count))
        var exported: [UInt8] = []
        var isLast = false
        while !isLast {
            let piece = try store.engine.piece(start.session, at: exported.count)
            #expect(piece.data.count <= BlobLimits.pieceBytesMax)
            exported += piece.data
            isLast = piece.isLast
        }
        #expect(exported == file)
    }

    @Test func `a repeated import writes nothing, and an import with another id writes again`() throws {
        let store = try TemporaryStore()
        let file = BlobEncoder.encode(blobMessages(600))
        let first = try store.engine.importFile(file, to: "alice", importID: "one")
        let again = try store.engine.importFile(file, to: "alice", importID: "one")
        #expect(first.createdCount == 600 && again.createdCount == 0 && again.updatedCount == 0)
        #expect(first.contentID == again.contentID && first.contentID.count == 64)
        #expect(try store.engine.importFile(file, to: "bob", importID: "one").createdCount == 600)
        #expect(try store.engine.importFile(file, to: "alice", importID: "two").createdCount == 600)
        #expect(try store.engine.statistics().messageCount == 1_800)
    }

    @Test func `a dry run reads everything and changes nothing`() throws {
        let store = try TemporaryStore()
        let file = BlobEncoder.encode(blobMessages(10))
        let report = try store.engine.importFile(file, to: "alice", importID: nil, isDryRun: true)
        #expect(report.isDryRun && report.messageCount == 10 && report.createdCount == 0)
        #expect(report.oldest == Timestamp(microseconds: 1_700_000_000_000_000))
        #expect(try store.engine.importFile(file, to: nil, importID: nil, isDryRun: true).messageCount == 10)
        #expect(try store.engine.statistics().conversationCount == 0)
    }

    @Test func `a filtered export contains only the messages that match`() throws {
        let store = try TemporaryStore()
        let messages = blobMessages(100)
        try store.engine.importFile(BlobEncoder.encode(messages), to: "alice")
        let sent = try store.engine.export("alice") { $0.isOutgoing = true }
        #expect(try BlobDecoder.decode(sent) == messages.filter(\.isSent))
        let received = try store.engine.export("alice") { $0.senderSessionID = "alice" }
        #expect(try BlobDecoder.decode(received) == messages.filter { !$0.isSent })
        let until = Timestamp(microseconds: 1_700_000_000_010_000)
        let early = try store.engine.export("alice") { $0.until = until }
        #expect(try BlobDecoder.decode(early) == Array(messages.prefix(20)))
    }

    @Test func `imported messages have the status of past messages, and the parties of the conversation`() throws {
        let store = try TemporaryStore()
        try store.engine.importFile(BlobEncoder.encode(blobMessages(4)), to: "alice")
        var query = MessageQuery(conversation: .session(try SessionID("alice")))
        query.order = .oldestFirst
        let messages = try store.engine.makeReader().messages(query).messages
        #expect(messages.map(\.isOutgoing) == [true, false, false, true])
        #expect(messages.map(\.status) == [.sent, .delivered, .delivered, .sent])
        #expect(messages.map(\.senderSessionID) == ["", "alice", "alice", ""])
        #expect(messages.map(\.attachmentType) == [nil, "text/long", "image", "video"])
        #expect(try store.engine.statistics().unreadCount == 0)
    }

    @Test func `timestamps are rounded down to milliseconds, also before 1970`() throws {
        let store = try TemporaryStore()
        let alice = ConversationReference.session(try SessionID("alice"))
        for microseconds: Int64 in [-1, 1_999] {
            try store.engine.write(
                .saveMessage(
                    NewMessage(conversation: alice, text: "t", timestamp: Timestamp(microseconds: microseconds))))
        }
        let messages = try BlobDecoder.decode(try store.engine.export("alice"))
        #expect(messages.map(\.timestampMilliseconds) == [-1, 1])
    }

    @Test func `a sealed export can be imported only with its passphrase`() throws {
        let store = try TemporaryStore()
        let file = BlobEncoder.encode(blobMessages(300, textBytes: 2_000))
        try store.engine.importFile(file, to: "alice")
        let passphrase = SlotSecretBox(try TemporaryStore.passphrase("open sesame"))
        let sealed = try store.engine.export("alice", sealing: .passphrase(passphrase, lowCost: true))
        #expect(SealedFileHeader.isSealed(sealed))
        let report = try store.engine.importFile(
            sealed, to: "bob", secret: try TemporaryStore.passphrase("open sesame"), pieceBytes: 100_000)
        #expect(report.isSealed && report.createdCount == 300)
        #expect(try store.engine.export("bob") == file)
        #expect(
            reason {
                try store.engine.importFile(sealed, to: "eve", secret: try TemporaryStore.passphrase("wrong"))
            } == .blobSecretWrong)
        #expect(reason { try store.engine.importFile(sealed, to: "eve") } == .blobSecretWrong)
        #expect(
            reason {
                try store.engine.importFile(file, to: "eve", secret: try TemporaryStore.passphrase("open sesame"))
            } == .blobDamaged)
    }
}
