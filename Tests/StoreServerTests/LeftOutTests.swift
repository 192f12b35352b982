import Logging
import Testing

@testable import StoreServer

/// Log lines that callers cause too often are counted and not written. The count is logged later.
@Suite struct LeftOutTests {
    private static let burst = Int(AuditPacer.Rate.lines.burst)

    @Test(.timeLimit(.minutes(1))) func `omitted lines are reported, and so are lines that are omitted later`() async {
        let pacer = SharedPacer()
        func cause(_ count: Int) {
            for _ in 0..<count {
                _ = pacer.allows { $0.allows(.lines, uid: 5, now: 1) }
            }
        }
        let (told, telling) = AsyncStream.makeStream(of: Int.self)
        async let _: Void = pacer.reportPeriodically(after: .zero) {
            telling.yield(pacer.drainSuppressed().reduce(0) { $0 + $1.count })
        }
        var counts = told.makeAsyncIterator()
        cause(Self.burst)
        for count in [1, 300] {
            cause(count)
            // Some counts may be reported before all events have happened.
            var left = count
            while left > 0 {
                left -= await counts.next() ?? left
            }
            #expect(left == 0)
        }
    }

    @Test func `omitted lines are reported only once`() {
        let pacer = SharedPacer()
        for uid in [7, 5] as [UInt32] {
            for _ in 0..<(Self.burst + 2) {
                _ = pacer.allows { $0.allows(.lines, uid: uid, now: 1) }
            }
        }
        let suppressed = pacer.drainSuppressed()
        #expect(suppressed.map(\.uid) == [5, 7] && suppressed.map(\.count) == [2, 2])
        #expect(pacer.drainSuppressed().isEmpty)
    }

    @Test func `a server that stops reports its omitted lines`() async throws {
        let lines = LogLines()
        let count = 20 * Self.burst
        try await RunningServer.with(.absent, logger: lines.logger) { running in
            for _ in 0..<count {
                running.server.server.causedLines.write(.error, "a fault", [:], uid: 5, to: lines.logger)
            }
        }
        let written = lines.all.count { $0.message == "a fault" }
        let told = lines.all.filter { $0.message == "lines of the log were left out" }
        #expect(told.map(\.metadata) == [["uid": "5", "count": "\(count - written)"]])
        #expect(written >= Self.burst)
    }
}
