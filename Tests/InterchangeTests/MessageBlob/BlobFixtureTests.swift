import Interchange
import Testing

@Suite struct BlobFixtureTests {
    @Test func `a file of the original library has the messages of its JSON file`() throws {
        let messages = try BlobDecoder.decode(BlobFixture.bytes("two-languages.blob"))
        #expect(messages == (try BlobFixture.messages("two-languages.json")))
        #expect(messages.count == 12)
    }

    @Test func `a file that was read is written back byte for byte`() throws {
        let file = try BlobFixture.bytes("two-languages.blob")
        let messages = try BlobDecoder.decode(file)
        #expect(BlobEncoder.encode(messages) == file)
        #expect(messages.reduce(BlobLayout.countBytes) { $0 + $1.byteCount } == file.count)
    }

    @Test func `files are written and read in the documented layout`() throws {
        #expect(BlobEncoder.encode(SmallBlob.messages) == SmallBlob.bytes)
        #expect(try BlobDecoder.decode(SmallBlob.bytes) == SmallBlob.messages)
    }

    @Test func `an empty list is four zero bytes`() throws {
        #expect(BlobEncoder.encode([]) == [0, 0, 0, 0])
        #expect(try BlobDecoder.decode([0, 0, 0, 0]).isEmpty)
    }
}
