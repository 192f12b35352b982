import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

@Suite struct TimestampTextTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000000Z"),
        (1, "1970-01-01T00:00:00.000001Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (951_782_399_000_000, "2000-02-28T23:59:59.000000Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
        (1_795_233_241_000_250, "2026-11-21T03:54:01.000250Z"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
    ])
    func `an instant is converted to its text and back`(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).description == text)
        #expect(Timestamp(rfc3339: text) == Timestamp(microseconds: microseconds))
    }

    @Test(arguments: [
        ("2026-11-21T03:54:01Z", "2026-11-21T03:54:01.000000Z"),
        ("2026-11-21t03:54:01z", "2026-11-21T03:54:01.000000Z"),
        ("2026-11-21 03:54:01+02:30", "2026-11-21T01:24:01.000000Z"),
        ("2026-01-01T00:30:00-01:00", "2026-01-01T01:30:00.000000Z"),
        ("2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.123456Z"),
        ("2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.500000Z"),
    ])
    func `other valid texts of an instant are read`(text: String, canonical: String) {
        #expect(Timestamp(rfc3339: text)?.description == canonical)
    }

    @Test(arguments: [
        "", "2026", "2026-11-21", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00+0100",
        "2026-01-01T00:60:00Z", "+026-01-01T00:00:00Z", "2026-01-00T00:00:00Z",
    ])
    func `a text that is not an instant is refused`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `random instants survive conversion to text`() {
        var random = TestSeeds.generator(7)
        for _ in 0..<TestTier.count(500, long: 2_000) {
            let instant = Timestamp(
                microseconds: .random(in: -62_167_219_200_000_000...253_402_300_799_999_999, using: &random))
            #expect(Timestamp(rfc3339: instant.description) == instant)
        }
    }

    @Test func `the ends of the range have a text and do not trap`() {
        #expect(Timestamp(microseconds: .min).description.hasSuffix("Z"))
        #expect(Timestamp(microseconds: .max).description.hasSuffix("Z"))
        #expect(Timestamp(microseconds: .max).advanced(byMicroseconds: 1).microseconds == .max)
    }
}
