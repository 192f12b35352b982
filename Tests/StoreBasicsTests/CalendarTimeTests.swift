import StoreBasics
import Testing

@Suite struct CalendarTimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00"), (-1, "1969-12-31T23:59:59"), (951_782_400, "2000-02-29T00:00:00"),
            (-62_167_219_200, "0000-01-01T00:00:00"), (253_402_300_799, "9999-12-31T23:59:59"),
        ] as [(Int64, String)])
    func `an instant is written in both formats of ISO 8601`(seconds: Int64, text: String) {
        let time = CalendarTime(secondsSinceEpoch: seconds)
        #expect(time.text() == text)
        #expect(time.text(isBasic: true) == text.filter { $0 != "-" && $0 != ":" })
    }

    @Test(arguments: [0, -1, 1_795_762_739, -2_000_000_000] as [Int64])
    func `a local time is converted to the instant at which local clocks show it`(seconds: Int64) throws {
        let instant = try #require(CalendarTime.secondsSinceEpoch(ofLocalClock: seconds))
        #expect(
            CalendarTime(secondsSinceEpoch: instant, isLocal: true).text()
                == CalendarTime(secondsSinceEpoch: seconds).text())
    }
}
