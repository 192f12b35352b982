import Interchange
import Testing

@Suite("Blob files of the original")
struct BlobFixtureTests {
    @Test("A file the original wrote reads as the JSON beside it")
    func fixtureReads() throws {
        let messages = try BlobDecoder.decode(BlobFixture.bytes("two-languages.blob"))
        #expect(messages == (try BlobFixture.messages("two-languages.json")))
        #expect(messages.count == 12)
    }

    @Test("What is read is written back byte for byte")
    func fixtureRewrites() throws {
        let file = try BlobFixture.bytes("two-languages.blob")
        let messages = try BlobDecoder.decode(file)
        #expect(BlobEncoder.encode(messages) == file)
        #expect(messages.reduce(BlobLayout.countBytes) { $0 + $1.byteCount } == file.count)
    }

    @Test("The documented layout is what is written and read")
    func layout() throws {
        #expect(BlobEncoder.encode(SmallBlob.messages) == SmallBlob.bytes)
        #expect(try BlobDecoder.decode(SmallBlob.bytes) == SmallBlob.messages)
    }

    @Test("An empty list is four zero bytes")
    func empty() throws {
        #expect(BlobEncoder.encode([]) == [0, 0, 0, 0])
        #expect(try BlobDecoder.decode([0, 0, 0, 0]).isEmpty)
    }
}
