import FoundationEssentials
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Attachments from `Data` and from files of this machine.
@Suite(.timeLimit(.minutes(1))) struct AttachedContentTests {
    private func save(_ attachments: [NewAttachment], _ client: StoreClient) async throws -> Message {
        let message = NewMessage(conversation: .sessionID("05a"), text: "look", attachments: attachments)
        return try await client.message(try #require(try await client.saveMessage(message).ids.first))
    }

    private func url(_ directory: TemporaryDirectory, _ name: String) -> URL {
        URL(filePath: directory.file(name))
    }

    @Test(arguments: [3, 200_000]) func `data of any size is attached to a message`(byteCount: Int) async throws {
        try await withDaemonAndClient { _, client in
            let content = [UInt8](repeating: 7, count: byteCount)
            let message = try await save([NewAttachment(.data(Data(content)), name: "d")], client)
            #expect(message.attachments.map(\.name) == ["d"])
            #expect(try await client.readAttachment(of: message.id, at: 0) == content)
        }
    }

    @Test(arguments: [0, 5, 3_000_000]) func `a file is attached under its name`(byteCount: Int) async throws {
        try await withDaemonAndClient { _, client in
            let directory = try TemporaryDirectory()
            let content = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 / 997) }
            try directory.write(content, to: "photo 1.jpg")
            let file = url(directory, "photo 1.jpg")
            let photo = try await NewAttachment(contentsOf: file, mimeType: "image/jpeg", in: client)
            let renamed = try await NewAttachment(
                contentsOf: file, name: "other", thumbnail: [1], source: "s",
                metadata: Metadata(data: [0, 9], type: "application/json"), in: client)
            let message = try await save([photo, renamed], client)
            #expect(message.attachments.map(\.name) == ["photo 1.jpg", "other"])
            #expect(message.attachments.map(\.mimeType) == ["image/jpeg", "application/octet-stream"])
            #expect(message.attachments.map(\.source) == [nil, "s"])
            #expect(message.attachments.map(\.hasThumbnail) == [false, true])
            #expect(message.attachments.map(\.metadata?.type) == [nil, "application/json"])
            #expect(message.attachments.last?.metadata?.data == [0, 9])
            #expect(try await client.readAttachment(of: message.id, at: 0) == content)
            // Both attachments have the same content, which is stored once.
            #expect(Set(message.attachments.map(\.digest)) == [try await client.writeAttachment(contentsOf: file)])
        }
    }

    @Test func `a file that cannot be read leaves no unfinished write`() async throws {
        try await withDaemonAndClient { _, client in
            let directory = try TemporaryDirectory()
            let error = await #expect(throws: StoreClientError.self) {
                _ = try await client.writeAttachment(contentsOf: url(directory, "absent"))
            }
            #expect(error?.reason == .inputOutputFailed)
            #expect(try await client.attachmentUsage().contentCount == 0)
        }
    }
}
