import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(FaultRun.minutesMax))) struct AppendFaultTests {
    private let log = LogConfiguration(maximumBytes: 64 << 20, overwritesOldest: false)

    @Test(arguments: FaultPattern.all)
    func `every append is stored once, in order for each task, and a follower gets all of them`(
        _ pattern: FaultPattern
    ) async throws {
        let count = pattern.callCount
        try await withDaemonAndClient { daemon, reader in
            try await reader.openLog("events", log)
            let seen = try await withProxy(to: daemon.socketPath, seed: Settings.seed("CLIENT_FAULT_SEED")) { proxy in
                try await withProxy(to: daemon.socketPath, seed: Settings.seed("CLIENT_FAULT_SEED")) { followers in
                    let client = try await FaultRun.connect(proxy, pattern.faults)
                    let follower = try await FaultRun.connect(followers, pattern.faultsOfFollower)
                    async let followed = Self.follow(follower.followLog("events"), through: count)
                    try await FaultRun.spread(count) { task, number in
                        if number % FaultRun.callsBetweenDrops(count) == 0 {
                            followers.dropConnections()
                        }
                        try await client.append([Array("\(task) \(number)".utf8)], toLog: "events")
                    }
                    let seen = try await followed
                    await client.close()
                    await follower.close()
                    #expect(proxy.faultCount > 1, "the proxy did nothing: \(proxy.connectionCount) connections")
                    #expect(followers.connectionCount > 3)
                    return seen
                }
            }
            #expect(seen.map(\.sequence) == Array(1...UInt64(count)))
            #expect(try await reader.log("events").messageCount == count)
            let texts = Dictionary(grouping: seen.map { String(decoding: $0.data, as: UTF8.self) }) { text in
                text.prefix { $0 != " " }
            }
            for task in 0..<FaultRun.taskCount {
                let numbers = stride(from: task, to: count, by: FaultRun.taskCount)
                #expect(texts["\(task)"] == numbers.map { "\(task) \($0)" })
            }
        }
    }

    private static func follow(_ stream: LogStream, through count: Int) async throws -> [LogEntry] {
        var entries: [LogEntry] = []
        for try await entry in stream {
            entries.append(entry)
            if entry.sequence >= UInt64(count) {
                break
            }
        }
        return entries
    }
}
