import GhostTestSupport
import StoreClient
import Testing

/// Archives that an application reads and writes record by record.
@Suite(.timeLimit(.minutes(1))) struct ClientArchiveTests {
    @Test func `the whole store is read record by record, and restored from the records without a digest`() async throws
    {
        try await withDaemonAndClient { _, client in
            try await client.saveMessage(
                NewMessage(
                    id: "m1", conversation: .sessionID("05a"), text: "hello", timestamp: .now,
                    attachments: [NewAttachment(.bytes([1, 2, 3]), name: "a", mimeType: "image/png")]))
            let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
            try await client.saveFile(content, at: VaultPath(.document, "a/large"), createsParents: true)
            var records: [ArchiveRecord] = []
            for try await record in client.archiveRecords() {
                records.append(record)
            }
            let counts = try #require(records.last?.counts)
            #expect(records.first?.kind == .header && records.last?.kind == .footer)
            #expect(counts.messages == 1 && counts.files == 1 && counts.contents == 1)
            #expect(records.last?.digest?.count == 64)
            #expect(Array(records.compactMap(\.filePiece).joined()) == [1, 2, 3] + content)
            let messages = try records.filter { $0.kind == .message }.map { record throws in try record.json }
            #expect(messages.count == 1 && messages[0].hasPrefix(#"{"message":{"id":"m1","text":"hello","#))
            #expect(messages[0].contains(#""attachments":[{"name":"a","mimeType":"image/png","byteCount":"3","#))

            var writer = ArchiveRecordWriter()
            var archive: [UInt8] = []
            for record in records.dropLast() {
                archive += try writer.bytes(of: record)
            }
            archive += try writer.bytes(of: .footer(writer.counts))
            let session = try await client.beginArchiveRestore(.merge, withoutDigest: true)
            for start in stride(from: 0, to: archive.count, by: StoreClient.archivePieceBytesMax) {
                let end = min(archive.count, start + StoreClient.archivePieceBytesMax)
                try await client.writeArchiveRestore(session, offset: UInt64(start), data: Array(archive[start..<end]))
            }
            let report = try await client.finishArchiveRestore(session)
            #expect(report.equal == counts && report.contentID.count == 64)
        }
    }

    @Test func `a sequence of records ends after the error of its call`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.lock()
            var records = client.archiveRecords().makeAsyncIterator()
            do throws(StoreClientError) {
                let record = try await records.next()
                Issue.record("a locked store gave \(String(describing: record))")
            } catch {
                #expect(error.reason == .storeLocked)
            }
            #expect(try await records.next() == nil)
        }
    }
}
