import StoreBasics
import TestBasics
import Testing

@Suite struct ByteReaderTests {
    @Test func `appended values are read back, and nothing is read past the end`() {
        var bytes: [UInt8] = []
        bytes.append(variableLength: 0)
        bytes.append(variableLength: 127)
        bytes.append(variableLength: 128)
        bytes.append(variableLength: .max)
        bytes.append(text: "grüße")
        bytes.append(bigEndian: UInt32(0x0102_0304))
        bytes.append(littleEndian: UInt64(0x0102_0304_0506_0708))
        bytes.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            #expect(reader.variableLength() == 0)
            #expect(reader.variableLength() == 127)
            #expect(reader.variableLength() == 128)
            #expect(reader.variableLength() == .max)
            #expect(reader.text() == "grüße")
            #expect(reader.bigEndian(UInt32.self) == 0x0102_0304)
            #expect(reader.remaining == 8)
            #expect(reader.littleEndian(UInt64.self) == 0x0102_0304_0506_0708)
            #expect(reader.isAtEnd)
            #expect(reader.byte() == nil)
            #expect(reader.bytes(1) == nil)
            #expect(reader.bigEndian(UInt16.self) == nil)
        }
    }

    @Test(arguments: 0..<200)
    func `reading any bytes does not trap`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let bytes = random.bytes(Int(random.next() % 40))
        bytes.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            while !reader.isAtEnd {
                let before = reader.remaining
                switch random.next() % 4 {
                case 0: _ = reader.text()
                case 1: _ = reader.variableLength()
                case 2: _ = reader.bytes(Int(random.next() % 8))
                default: _ = reader.byte()
                }
                #expect(reader.remaining <= before)
            }
        }
    }

    @Test func `a length beyond the bytes, a number of ten bytes and text that is not UTF-8 are read as nil`() {
        for bytes: [UInt8] in [[5, 0x61], [UInt8](repeating: 0x80, count: 10), [2, 0xc3, 0x28]] {
            bytes.withUnsafeBytes { buffer in
                var reader = ByteReader(buffer)
                #expect(reader.text() == nil)
            }
        }
    }
}
