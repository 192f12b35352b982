import Interchange
import Testing

@Suite("Types of blob messages")
struct BlobTypeTests {
    @Test("A text of 1,024 characters is long, one of 1,023 is not, whatever its bytes", arguments: ["a", "é", "👨‍👩‍👧"])
    func longText(character: String) {
        #expect(BlobMessageType(ofText: String(repeating: character, count: 1_023)) == .short)
        #expect(BlobMessageType(ofText: String(repeating: character, count: 1_024)) == .long)
    }

    @Test("An unknown ordinal reads as short", arguments: [UInt8(4), 5, 127, 128, 255])
    func unknownOrdinal(ordinal: UInt8) throws {
        #expect(BlobMessageType(ordinal: ordinal) == .short)
        var file = BlobEncoder.encode([
            BlobMessage(text: "t", isSent: true, type: .video, timestampMilliseconds: 1)
        ])
        file[10] = ordinal
        #expect(try BlobDecoder.decode(file).first?.type == .short)
    }

    @Test("Every type survives being kept as an attachment type", arguments: BlobMessageType.allCases)
    func attachmentType(type: BlobMessageType) {
        for text in ["short", String(repeating: "x", count: 2_000)] {
            #expect(BlobMessageType(text: text, attachmentType: type.attachmentType(forText: text)) == type)
        }
    }

    @Test("Media types show as image and video, others leave it to the text")
    func mediaTypes() {
        #expect(BlobMessageType(text: "", attachmentType: "image/png") == .image)
        #expect(BlobMessageType(text: "", attachmentType: "video/mp4") == .video)
        #expect(BlobMessageType(text: "", attachmentType: "imagery") == .short)
        #expect(BlobMessageType(text: "", attachmentType: "audio/ogg") == .short)
        #expect(BlobMessageType(text: "", attachmentType: nil) == .short)
    }
}
