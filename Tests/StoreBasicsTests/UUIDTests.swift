import Testing

@testable import StoreBasics

@Suite struct UUIDTests {
    @Test func `a UUIDv7 has its time first, version 7 and the variant of RFC 9562`() {
        // The example of RFC 9562, appendix A.6: 0x017F22E279B0 milliseconds.
        let id = UUIDv7(milliseconds: 0x017F_22E2_79B0, order: 0xCC3, random: 0x18C4_DC0C_0C07_398F)
        #expect(id.description == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
        #expect(Hexadecimal.encode(id.bytes) == "017f22e279b07cc398c4dc0c0c07398f")
    }

    @Test func `parts that are too large leave version and variant alone`() {
        let id = UUIDv7(milliseconds: .max, order: .max, random: .max)
        #expect(id.description == "ffffffff-ffff-7fff-bfff-ffffffffffff")
    }

    @Test func `a hundred thousand ids are all different and each is greater than the one before`() {
        var last = ""
        for _ in 0..<100_000 {
            let id = UUIDv7().description
            #expect(id > last)
            last = id
        }
    }

    @Test func `ids keep their order while the clock stands still, goes back and the counter is used up`() {
        var tick = TimeOrder.Tick()
        for milliseconds in [UInt64](repeating: 1_000, count: 10_000) + [999, 0, 1_002, 5_000] {
            let next = tick.next(atLeastMilliseconds: milliseconds)
            #expect((next.milliseconds, next.counter) > (tick.milliseconds, tick.counter))
            #expect(next.counter <= TimeOrder.Tick.counterMax)
            tick = next
        }
        #expect(tick.milliseconds == 5_000)
    }
}
