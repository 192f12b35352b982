import Interchange
import Testing

@Suite struct BlobTypeTests {
    @Test(arguments: ["a", "é", "👨‍👩‍👧"])
    func `a text of 1,024 characters is long and one of 1,023 is short, however many bytes they have`(character: String)
    {
        #expect(BlobMessageType(ofText: String(repeating: character, count: 1_023)) == .short)
        #expect(BlobMessageType(ofText: String(repeating: character, count: 1_024)) == .long)
    }

    @Test(arguments: [UInt8(4), 5, 127, 128, 255]) func `an unknown type number is read as short`(ordinal: UInt8) throws
    {
        #expect(BlobMessageType(ordinal: ordinal) == .short)
        var file = BlobEncoder.encode([
            BlobMessage(text: "t", isSent: true, type: .video, timestampMilliseconds: 1)
        ])
        file[10] = ordinal
        #expect(try BlobDecoder.decode(file).first?.type == .short)
    }

    @Test(arguments: BlobMessageType.allCases)
    func `every type survives conversion to an attachment type and back`(type: BlobMessageType) {
        for text in ["short", String(repeating: "x", count: 2_000)] {
            #expect(BlobMessageType(text: text, attachmentType: type.attachmentType(forText: text)) == type)
        }
    }

    @Test func `image and video media types set the type, and for others the text does`() {
        #expect(BlobMessageType(text: "", attachmentType: "image/png") == .image)
        #expect(BlobMessageType(text: "", attachmentType: "video/mp4") == .video)
        #expect(BlobMessageType(text: "", attachmentType: "imagery") == .short)
        #expect(BlobMessageType(text: "", attachmentType: "audio/ogg") == .short)
        #expect(BlobMessageType(text: "", attachmentType: nil) == .short)
    }
}
