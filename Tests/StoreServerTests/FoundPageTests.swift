import NIOCore
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

@Suite struct FoundPageTests {
    /// Returns a message that has only the fields below. `MessageEncoder`, which encodes messages, has its own tests.
    private func message(text: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) -> BorrowedMessage {
        BorrowedMessage(
            id: id, conversationID: id, text: text, senderSessionID: id, recipientSessionID: id,
            timestampMicroseconds: 7, status: 0, isOutgoing: true, isRead: false, createdAtMicroseconds: 9)
    }

    private func wire(text: String, id: String) -> WireMessage {
        .with {
            $0.id = id
            $0.conversationID = id
            $0.text = text
            $0.senderSessionID = id
            $0.recipientSessionID = id
            $0.timestampMicroseconds = 7
            $0.isOutgoing = true
            $0.createdAtMicroseconds = 9
        }
    }

    private func wire(_ snippet: SearchSnippet, of message: WireMessage) -> WireFoundMessage {
        .with {
            $0.message = message
            $0.snippet = String(decoding: Array(message.text.utf8)[snippet.range], as: UTF8.self)
            $0.snippetOffset = UInt32(snippet.range.lowerBound)
            $0.matches = snippet.matches.map { match in
                .with {
                    $0.offset = UInt32(match.lowerBound)
                    $0.count = UInt32(match.count)
                }
            }
        }
    }

    @Test func `encoded search results have the bytes of swift-protobuf`() throws {
        let pieces = ["", "word ", "é", "漢字 ", String(repeating: "x", count: 300)]
        var random = TestSeeds.generator(7)
        for round in 0..<TestTier.count(24, long: 100) {
            var page = FoundPage()
            var expected = WireSearchMessagesResponse()
            for _ in 0..<(round % 8) {
                let text = (0..<(random.next() % 6)).map { _ in pieces[Int(random.next() % 5)] }.joined()
                let bytes = Array(text.utf8)
                let bounds = (0..<4).map { _ in Int(random.next() % UInt64(bytes.count + 1)) }.sorted()
                let id = ["", "a", "some id"][Int(random.next() % 3)]
                bytes.withUnsafeBytes { bytes in
                    let snippet = SearchSnippet(of: bytes, around: [bounds[0]..<bounds[1], bounds[2]..<bounds[3]])
                    Array(id.utf8).withUnsafeBytes { idBytes in
                        page.append(FoundMessage(message: message(text: bytes, id: idBytes), snippet: snippet))
                    }
                    expected.messages.append(wire(snippet, of: wire(text: text, id: id)))
                }
            }
            let last = try MessageCursor("5.61")
            let end = MessagePageEnd(first: nil, last: round % 2 == 0 ? last : nil, hasMore: round % 3 == 0)
            page.finish(end)
            expected.lastCursor = end.last?.text ?? ""
            expected.hasMore_p = end.hasMore
            let head = ResponseHead(id: [0, 1, .max][round % 3])
            var (found, encoded) = (ByteBuffer(), ByteBuffer())
            page.append(head, to: &found)
            FrameWriter.append(head, .foundMessages(expected), to: &encoded)
            #expect(found == encoded)
        }
    }
}
