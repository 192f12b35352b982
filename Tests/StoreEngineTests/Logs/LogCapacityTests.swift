import Glibc
import Interchange
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct LogCapacityTests {
    @Test(arguments: 0..<UInt64(TestTier.count(4, long: 12)))
    func `a log keeps and refuses the same messages as the file format`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let store = try TemporaryStore()
        let name = try LogName("log")
        let configuration = LogConfiguration(
            maximumBytes: UInt64.random(in: 70...1_200, using: &numbers), overwritesOldest: seed % 3 != 0)
        try store.engine.write(.openLog(name, configuration))
        var file = CacheAdvanceFile(configuration.layout)
        let most = Int.random(in: 1...Int(configuration.maximumBytes), using: &numbers)
        for step in 0..<150 {
            let message = [UInt8](repeating: UInt8(step), count: Int.random(in: 1...most, using: &numbers))
            let outcome = file.append(message)
            let append = Mutation.appendLog(LogAppend(log: name, expected: nil, messages: [message]))
            do {
                try store.engine.write(append)
                #expect(outcome != .largerThanCapacity && outcome != .largerThanRemaining)
            } catch let error as StoreError {
                #expect(error.reason == (outcome == .largerThanCapacity ? .logMessageTooLarge : .logFull))
            }
            if step == 70 {
                try store.reopen()
            }
        }
        let page = try store.engine.makeReader().logEntries(LogQuery(log: name, limit: 1_000))
        #expect(page.entries.map(\.data) == file.messages)
        #expect(page.info.messageCount == UInt64(file.messageCount))
        #expect(page.info.usedBytes == file.messages.reduce(0) { $0 + 4 + UInt64($1.count) })
        #expect(try expectClean(store.engine) == [])
    }

    /// The number of appends. `make append-long` does a million.
    static let appends = getenv("APPEND_COUNT").flatMap { Int(String(cString: $0)) } ?? 20_000

    @Test func `many appends to an overwriting log make the store neither larger nor slower`() throws {
        let store = try TemporaryStore()
        let name = try LogName("log")
        try store.engine.write(
            .openLog(name, LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: true)))
        let wave = 500
        let parts = 10
        var partSeconds: [Double] = []
        var largestBytes: Int64 = 0
        for part in 0..<parts {
            let started = ContinuousClock.now
            for number in 0..<(Self.appends / parts / wave) {
                try Self.append(wave, to: name, keyed: "\(part)-\(number)", store)
            }
            let elapsed = started.duration(to: .now)
            partSeconds.append(Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18)
            largestBytes = max(largestBytes, Int64(store.engine.storage().databaseBytes))
        }
        let page = try store.engine.makeReader().logEntries(LogQuery(log: name, limit: 1))
        #expect(page.info.sequences?.upperBound == UInt64(Self.appends))
        #expect(page.info.messageCount <= 10_082)
        #expect(largestBytes < 16 << 20, "the store grew to \(largestBytes) bytes")
        print("seconds of each tenth of \(Self.appends) appends:", partSeconds.map { ($0 * 100).rounded() / 100 })
        // The first part fills an empty log. Among the other parts, the later half must not take longer than the
        // earlier half.
        let full = partSeconds.dropFirst()
        let earlier = Self.median(full.prefix(4))
        let later = Self.median(full.suffix(4))
        #expect(later < 1.5 * earlier + 0.05, "seconds of each part: \(partSeconds)")
        #expect(try expectClean(store.engine) == [])
    }

    private static func median(_ seconds: some Collection<Double>) -> Double {
        seconds.sorted()[seconds.count / 2]
    }

    /// Sends `count` single appends at the same time, each with an idempotency key, as many clients would.
    private static func append(_ count: Int, to name: LogName, keyed prefix: String, _ store: TemporaryStore) throws {
        let outcomes = (0..<count).map { _ in OneShot<Result<MutationResult, StoreError>>() }
        for (number, outcome) in outcomes.enumerated() {
            let message = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100)
            store.engine.submit(
                WriteRequest(
                    .appendLog(LogAppend(log: name, expected: nil, messages: [message])),
                    idempotencyKey: try IdempotencyKey("\(prefix)-\(number)-key"))
            ) { outcome.set($0) }
        }
        for outcome in outcomes {
            _ = try outcome.wait().get()
        }
    }
}
