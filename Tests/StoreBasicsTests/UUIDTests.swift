import Testing

@testable import StoreBasics

@Suite struct UUIDTests {
    @Test func `a UUIDv7 begins with its time and has version 7 and the variant of RFC 9562`() {
        // The example of RFC 9562, appendix A.6: 0x017F22E279B0 milliseconds.
        let id = UUIDv7(milliseconds: 0x017F_22E2_79B0, order: 0xCC3, random: 0x18C4_DC0C_0C07_398F)
        #expect(id.description == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
        #expect(Hexadecimal.encode(id.bytes) == "017f22e279b07cc398c4dc0c0c07398f")
    }

    @Test func `parts that are too large do not change version and variant`() {
        let id = UUIDv7(milliseconds: .max, order: .max, random: .max)
        #expect(id.description == "ffffffff-ffff-7fff-bfff-ffffffffffff")
    }

    @Test func `each of a hundred thousand ids is greater than the one before`() {
        var last = ""
        for _ in 0..<100_000 {
            let id = UUIDv7().description
            #expect(id > last)
            last = id
        }
    }

    @Test func `ids stay in order when the clock stops, goes back or the counter is exhausted`() {
        var tick = TimeOrder.Tick()
        for milliseconds in [UInt64](repeating: 1_000, count: 10_000) + [999, 0, 1_002, 5_000] {
            let next = tick.next(atLeastMilliseconds: milliseconds)
            #expect((next.milliseconds, next.counter) > (tick.milliseconds, tick.counter))
            #expect(next.counter <= TimeOrder.Tick.counterMax)
            tick = next
        }
        #expect(tick.milliseconds == 5_000)
    }

    @Test func `a UUID is read only from the exact text that is written for it`() throws {
        for _ in 0..<1_000 {
            let words = UUIDWords(high: .random(in: 0...(.max)), low: .random(in: 0...(.max)))
            #expect(Self.read(Array(words.description.utf8)) == words)
        }
        // Tries every byte value at every position. A text that can be read must be written again as the same text.
        let text = Array("017f22e2-79b0-7cc3-98c4-dc0c0c07398f".utf8)
        for position in text.indices {
            var readable: [UInt8] = []
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[position] = byte
                guard let words = Self.read(changed) else { continue }
                #expect(Array(words.description.utf8) == changed)
                readable.append(byte)
            }
            let isDash = text[position] == UInt8(ascii: "-")
            #expect(readable == Array((isDash ? "-" : "0123456789abcdef").utf8))
        }
        #expect(Self.read(Array(text.dropLast())) == nil)
        #expect(Self.read(text + [UInt8(ascii: "0")]) == nil)
    }

    private static func read(_ text: [UInt8]) -> UUIDWords? {
        text.withUnsafeBytes { UUIDWords(lowercaseText: $0) }
    }
}
