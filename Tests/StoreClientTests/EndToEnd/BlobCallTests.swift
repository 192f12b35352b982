import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(2))) struct BlobCallTests {
    private let source = ConversationReference.sessionID("05source")
    private let copy = ConversationReference.sessionID("05copy")

    /// Saves messages whose times are one second apart, from a fixed time. Messages with an even number are outgoing.
    private func save(_ texts: [String], _ client: StoreClient) async throws {
        let start = Timestamp(microseconds: 1_700_000_000_000_000)
        try await client.saveMessages(
            texts.enumerated().map { number, text in
                NewMessage(
                    id: "m\(number)", conversation: source, text: text,
                    timestamp: start.advanced(byMicroseconds: Int64(number) * 1_000_000), status: .sent,
                    isOutgoing: number.isMultiple(of: 2))
            })
    }

    private func read(_ export: BlobExport, _ client: StoreClient) async throws -> [UInt8] {
        var file: [UInt8] = []
        var isWhole = false
        while !isWhole {
            let piece = try await client.readBlobExport(export.session, offset: UInt64(file.count))
            file += piece.data
            isWhole = piece.isLast
        }
        #expect(UInt64(file.count) == export.totalBytes)
        return file
    }

    private func write(
        _ file: [UInt8], _ options: BlobImportOptions, secret: consuming SecretInput? = nil, pieceBytes: Int = 1_000,
        _ client: StoreClient
    ) async throws -> BlobImportReport {
        let session = try await client.beginBlobImport(options, secret: secret)
        for offset in stride(from: 0, to: file.count, by: pieceBytes) {
            let piece = Array(file[offset..<min(offset + pieceBytes, file.count)])
            let received = try await client.writeBlobImport(session, offset: UInt64(offset), data: piece)
            #expect(received == UInt64(offset + piece.count))
        }
        return try await client.finishBlobImport(session)
    }

    private func texts(_ conversation: ConversationReference, _ client: StoreClient) async throws -> [String] {
        try await client.messagePage(MessageQuery(conversation: conversation, order: .oldestFirst)).messages.map(\.text)
    }

    private func int32(_ value: Int32) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private func record(_ text: String, isSent: Bool, type: UInt8, milliseconds: Int64) -> [UInt8] {
        int32(Int32(text.utf8.count)) + Array(text.utf8) + [isSent ? 1 : 0, type]
            + withUnsafeBytes(of: milliseconds.littleEndian) { Array($0) }
    }

    @Test func `an export has the documented layout, and a dry run and an import accept it`() async throws {
        try await withDaemonAndClient { _, client in
            let long = String(repeating: "é", count: 1_024)
            try await save(["hello", long], client)
            let export = try await client.beginBlobExport(of: source)
            #expect(export.messageCount == 2)
            let file = try await read(export, client)
            #expect(
                file == int32(2) + record("hello", isSent: true, type: 0, milliseconds: 1_700_000_000_000)
                    + record(long, isSent: false, type: 1, milliseconds: 1_700_000_001_000))

            let checked = try await write(file, BlobImportOptions(isDryRun: true), client)
            #expect(checked.isDryRun && !checked.isSealed && checked.messageCount == 2)
            #expect(checked.contentBytes == UInt64(file.count) && checked.contentID.count == 64)
            #expect(checked.oldest?.microseconds == 1_700_000_000_000_000)
            #expect(checked.newest?.microseconds == 1_700_000_001_000_000)
            #expect(try await client.statistics().messageCount == 2)

            let options = BlobImportOptions(
                conversation: copy, importID: checked.contentID, totalBytes: UInt64(file.count))
            let report = try await write(file, options, client)
            #expect(report.createdCount == 2 && report.updatedCount == 0 && !report.isDryRun)
            #expect(try await texts(copy, client) == ["hello", long])
            #expect(try await read(client.beginBlobExport(of: copy), client) == file)
            let again = try await write(file, options, client)
            #expect(again.createdCount == 0 && again.updatedCount == 0)
            #expect(try await client.statistics().messageCount == 4)
        }
    }

    @Test func `an import needs exactly the announced number of bytes`() async throws {
        try await withDaemonAndClient { _, client in
            let file = int32(1) + record("hello", isSent: true, type: 0, milliseconds: 1_700_000_000_000)
            for announced in [0, file.count - 1, file.count + 1, 500] {
                let error = await #expect(throws: StoreClientError.self) {
                    try await write(
                        file, BlobImportOptions(isDryRun: true, totalBytes: UInt64(announced)), client)
                }
                #expect(error?.reason == .blobDamaged, "\(announced)")
            }
            for announced in [nil, UInt64(file.count)] {
                let options = BlobImportOptions(isDryRun: true, totalBytes: announced)
                let report = try await write(file, options, client)
                #expect(report.messageCount == 1)
            }
            let report = try await write([], BlobImportOptions(isDryRun: true, totalBytes: 0), client)
            #expect(report.messageCount == 0)
        }
    }

    @Test func `an export larger than a piece shows the moment when it began, whatever is written meanwhile`()
        async throws
    {
        try await withDaemonAndClient { _, client in
            let texts = (0..<6).map { String(repeating: "\($0)", count: 400_000) }
            try await save(texts, client)
            let export = try await client.beginBlobExport(of: source)
            #expect(export.totalBytes > UInt64(2 * StoreClient.blobPieceBytesMax))
            try await client.deleteMessages(["m5"])
            try await client.saveMessage(NewMessage(conversation: source, text: "late"))
            let file = try await read(export, client)
            let report = try await write(
                file, BlobImportOptions(conversation: copy, importID: "i"), pieceBytes: StoreClient.blobPieceBytesMax,
                client)
            #expect(report.messageCount == 6)
            #expect(try await self.texts(copy, client) == texts)
        }
    }

    @Test func `an export contains the messages that meet every condition of its filter`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(["a", "b", "c", "d", "e"], client)
            let start = Timestamp(microseconds: 1_700_000_000_000_000)
            let filter = BlobFilter(
                from: start.advanced(byMicroseconds: 1_000_000), until: start.advanced(byMicroseconds: 4_000_000),
                isOutgoing: false)
            let file = try await read(client.beginBlobExport(of: source, filter: filter), client)
            #expect(
                file == int32(2) + record("b", isSent: false, type: 0, milliseconds: 1_700_000_001_000)
                    + record("d", isSent: false, type: 0, milliseconds: 1_700_000_003_000))
        }
    }

    @Test func `a sealed export opens only with its passphrase and only if it is complete`() async throws {
        var options = TestDaemonOptions()
        options.environment = ["GHOSTSTORE_ALLOW_LOW_COST_KEYS": "true"]
        try await withDaemonAndClient(options) { _, client in
            try await save(["a secret text"], client)
            let export = try await client.beginBlobExport(
                of: source, seal: .passphrase(secretInput("long words"), lowCost: true))
            let file = try await read(export, client)
            #expect(!String(decoding: file, as: UTF8.self).contains("a secret text"))
            let dryRun = BlobImportOptions(isDryRun: true)
            let report = try await write(file, dryRun, secret: secretInput("long words"), client)
            #expect(report.isSealed && report.messageCount == 1)

            let wrong = await #expect(throws: StoreClientError.self) {
                _ = try await write(file, dryRun, secret: secretInput("other words"), client)
            }
            #expect(wrong?.reason == .blobSecretWrong)
            let none = await #expect(throws: StoreClientError.self) { _ = try await write(file, dryRun, client) }
            #expect(none?.reason == .blobSecretWrong)
            for damaged in [Array(file.dropLast()), file + [0], Array(file.dropLast()) + [file[file.count - 1] ^ 1]] {
                let error = await #expect(throws: StoreClientError.self) {
                    _ = try await write(damaged, dryRun, secret: secretInput("long words"), client)
                }
                #expect(error?.reason == .blobDamaged)
            }
        }
    }

    private struct DamagedFile: CustomTestStringConvertible {
        let bytes: [UInt8]
        /// The offset that the error message contains.
        let offset: Int

        var testDescription: String { "\(bytes.count) bytes, damaged at \(offset)" }
    }

    private func damagedFiles() -> [DamagedFile] {
        let good = record("kept", isSent: true, type: 0, milliseconds: 1)
        var wrongFlag = int32(1) + good
        wrongFlag[12] = 2
        return [
            DamagedFile(bytes: int32(-1), offset: 0),
            DamagedFile(bytes: int32(1) + int32(-5), offset: 4),
            DamagedFile(bytes: int32(1) + int32(4) + [0xff, 0xfe, 0xfd, 0xfc] + good, offset: 8),
            DamagedFile(bytes: wrongFlag, offset: 12),
            DamagedFile(bytes: int32(1) + good + [7], offset: 22),
            DamagedFile(bytes: int32(2) + good, offset: 22),
        ]
    }

    @Test func `damage is an error that names its byte, and changes nothing`() async throws {
        try await withDaemonAndClient { _, client in
            for file in damagedFiles() {
                let error = await #expect(throws: StoreClientError.self, "\(file)") {
                    _ = try await write(file.bytes, BlobImportOptions(isDryRun: true), client)
                }
                #expect(error?.code == .invalidArgument && error?.reason == .blobDamaged)
                let message = error?.message ?? ""
                #expect(message.contains("byte \(file.offset)"), "\(file.offset): \(message)")
            }
            let statistics = try await client.statistics()
            #expect(statistics.messageCount == 0 && statistics.conversationCount == 0)
        }
    }

    @Test func `an ended session is not found, and ending it again has no effect`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(["one"], client)
            let export = try await client.beginBlobExport(of: source)
            try await client.endBlobSession(export.session)
            try await client.endBlobSession(export.session)
            let ended = await #expect(throws: StoreClientError.self) {
                _ = try await client.readBlobExport(export.session, offset: 0)
            }
            #expect(ended?.code == .notFound && ended?.reason == .blobSessionNotFound)

            let session = try await client.beginBlobImport(BlobImportOptions(isDryRun: true))
            try await client.writeBlobImport(session, offset: 0, data: int32(1))
            let gap = await #expect(throws: StoreClientError.self) {
                try await client.writeBlobImport(session, offset: 9, data: [0])
            }
            #expect(gap?.code == .invalidArgument)
            let absent = await #expect(throws: StoreClientError.self) {
                _ = try await client.beginBlobExport(of: .sessionID("05nobody"))
            }
            #expect(absent?.reason == .conversationNotFound)
        }
    }

    @Test func `locking the store ends a running export`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await save(["one"], client)
            let export = try await client.beginBlobExport(of: source)
            try await client.lock()
            let locked = await #expect(throws: StoreClientError.self) {
                _ = try await client.readBlobExport(export.session, offset: 0)
            }
            #expect(locked?.reason == .storeLocked || locked?.reason == .blobSessionNotFound)
            _ = try await client.unlock(secret: SecretInput(kind: .keyFile, file: daemon.keyFilePath))
            let ended = await #expect(throws: StoreClientError.self) {
                _ = try await client.readBlobExport(export.session, offset: 0)
            }
            #expect(ended?.reason == .blobSessionNotFound)
        }
    }
}
