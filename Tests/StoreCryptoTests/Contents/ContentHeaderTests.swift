import StoreBasics
import Testing

@testable import StoreCrypto

@Suite struct ContentHeaderTests {
    @Test func `a header is valid only for its own content`() throws {
        let key = try ContentKey.generate()
        let header = ContentHeader(id: try .random(), cipher: .aes256GCM, chunkBytes: 65_536)
        let bytes = try header.encoded(under: key)
        #expect(bytes.count == ContentHeader.byteCount)
        #expect(try header.isEncoded(in: bytes, under: key))
        #expect(try !header.isEncoded(in: bytes, under: .generate()))
        var others = [header, header, header]
        others[0].id = try .random()
        others[1].cipher = .xchacha20Poly1305
        others[2].chunkBytes = 32_768
        for other in others {
            #expect(try !other.isEncoded(in: bytes, under: key))
        }
    }

    @Test func `a header that is shorter, longer or has a flipped bit is invalid`() throws {
        let key = try ContentKey.generate()
        let header = ContentHeader(id: try .random(), cipher: .xchacha20Poly1305, chunkBytes: 65_536)
        let bytes = try header.encoded(under: key)
        for bit in 0..<(bytes.count * 8) {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(try !header.isEncoded(in: damaged, under: key))
        }
        #expect(try !header.isEncoded(in: Array(bytes.dropLast()), under: key))
        #expect(try !header.isEncoded(in: bytes + [0], under: key))
        #expect(try !header.isEncoded(in: [], under: key))
    }

    @Test func `a content's name is 32 lower-case digits`() throws {
        let id = try ContentID.random()
        #expect(id.hexadecimal.utf8.count == 32)
        #expect(ContentID(hexadecimal: id.hexadecimal) == id)
        #expect(try ContentID.random() != id)
        for text in [
            "", "00", id.hexadecimal + "00", "A" + id.hexadecimal.dropFirst(), "/" + id.hexadecimal.dropFirst(),
        ] {
            #expect(ContentID(hexadecimal: text) == nil)
        }
    }
}
