import StoreBasics
import TestBasics
import Testing

@Suite struct BytesTests {
    @Test func `each byte has two hexadecimal digits, which are decoded in either case`() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hexadecimal.encode(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hexadecimal.decode(text) == bytes)
        #expect(Hexadecimal.decode(text.uppercased()) == bytes)
    }

    @Test(arguments: ["0", "0g", "abc", "é1", " 12", "1 2"])
    func `a text that is not pairs of digits is refused`(text: String) {
        #expect(Hexadecimal.decode(text) == nil)
    }

    @Test(arguments: 0..<500)
    func `UTF-8 is recognised exactly as by the standard library, at every length and alignment`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var bytes = Array(String(repeating: "a", count: Int(random.next() % 20)).utf8)
        bytes += seed.isMultiple(of: 2) ? Array("é漢😀".utf8) : random.bytes(3)
        bytes += Array(String(repeating: "b", count: Int(random.next() % 20)).utf8)
        for start in 0..<min(8, bytes.count) {
            let part = Array(bytes[start...])
            bytes.withUnsafeBytes { buffer in
                let view = UnsafeRawBufferPointer(rebasing: buffer[start...])
                #expect(view.isUTF8 == (String(validating: part, as: UTF8.self) != nil))
                #expect(view.text(at: 0..<view.count) == String(validating: part, as: UTF8.self))
            }
        }
    }

    @Test func `the stable hash is FNV-1a`() {
        // Test vectors of the FNV draft: the empty text, "a" and "foobar".
        for (text, expected) in [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)] {
            var hash = StableHash()
            hash.combine(text.utf8)
            #expect(hash.value == expected)
        }
    }

    @Test func `wiping sets exactly the given bytes to zero`() {
        var bytes = [UInt8](repeating: 7, count: 16)
        bytes.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0.dropFirst(4).prefix(8)).wipe() }
        #expect(
            bytes == [UInt8](repeating: 7, count: 4) + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 7, count: 4)
        )
        UnsafeMutableRawBufferPointer(start: nil, count: 0).wipe()
    }
}
