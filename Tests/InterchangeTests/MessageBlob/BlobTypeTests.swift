import Interchange
import Testing

@Suite struct BlobTypeTests {
    @Test(arguments: ["a", "é", "👨‍👩‍👧"])
    func `a text of 1,024 characters is long, one of 1,023 is not, whatever its bytes`(character: String) {
        #expect(BlobMessageType(ofText: String(repeating: character, count: 1_023)) == .short)
        #expect(BlobMessageType(ofText: String(repeating: character, count: 1_024)) == .long)
    }

    @Test(arguments: [UInt8(4), 5, 127, 128, 255]) func `an unknown ordinal reads as short`(ordinal: UInt8) throws {
        #expect(BlobMessageType(ordinal: ordinal) == .short)
        var file = BlobEncoder.encode([
            BlobMessage(text: "t", isSent: true, type: .video, timestampMilliseconds: 1)
        ])
        file[10] = ordinal
        #expect(try BlobDecoder.decode(file).first?.type == .short)
    }

    @Test(arguments: BlobMessageType.allCases)
    func `every type survives being kept as an attachment type`(type: BlobMessageType) {
        for text in ["short", String(repeating: "x", count: 2_000)] {
            #expect(BlobMessageType(text: text, attachmentType: type.attachmentType(forText: text)) == type)
        }
    }

    @Test func `media types show as image and video, others leave it to the text`() {
        #expect(BlobMessageType(text: "", attachmentType: "image/png") == .image)
        #expect(BlobMessageType(text: "", attachmentType: "video/mp4") == .video)
        #expect(BlobMessageType(text: "", attachmentType: "imagery") == .short)
        #expect(BlobMessageType(text: "", attachmentType: "audio/ogg") == .short)
        #expect(BlobMessageType(text: "", attachmentType: nil) == .short)
    }
}
