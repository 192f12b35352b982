import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// What the suites of this folder share: a daemon, and clients that reach it through a proxy at which things go wrong.
enum FaultRun {
    /// Calls of one test. `make client-long` makes more.
    static let callCount = Settings.number("CLIENT_CALLS", default: TestTier.count(1_000, long: 5_000))
    static let taskCount = 20
    static let minutesMax = 1 + callCount / 5_000
    /// What a call may take; far more than the faults cost, so that one that is lost is seen as such.
    static let callDeadline = Duration.seconds(20)

    static var configuration: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.callDeadline = callDeadline
        configuration.reconnectDelayMin = .milliseconds(1)
        configuration.reconnectDelayMax = .milliseconds(50)
        return configuration
    }

    /// A client whose connections have the faults from now on; connecting itself is let through.
    static func connect(
        _ proxy: FaultyProxy, _ faults: ProxyFaults, configuration: ClientConfiguration = configuration
    ) async throws -> StoreClient {
        proxy.setFaults(ProxyFaults())
        let client = try await StoreClient.connect(to: proxy.socketPath, configuration: configuration)
        proxy.setFaults(faults)
        proxy.dropConnections()
        return client
    }

    /// How many calls are made between two ends of all connections: there are twenty ends at least.
    static func callsBetweenDrops(_ count: Int) -> Int {
        max(1, min(50, count / 20))
    }

    /// Returns bytes after which a connection ends: half of those of a long run, so that a short one meets enough ends.
    /// Far fewer would let none of the calls through that the tasks have in flight at once.
    static func bytes(_ count: Int) -> Int {
        callCount < 5_000 ? count / 2 : count
    }

    /// Runs numbers 0 to `count` less one, spread over the tasks; each task makes its calls one after the other.
    static func spread(_ count: Int, _ call: @escaping @Sendable (_ task: Int, _ number: Int) async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<taskCount {
                group.addTask {
                    for number in stride(from: task, to: count, by: taskCount) {
                        try await call(task, number)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// One way in which connections fail.
struct FaultPattern: Sendable, CustomTestStringConvertible {
    let name: String
    let faults: ProxyFaults
    /// Of the calls of a test, one in so many is made: some faults take their time.
    let callsDividedBy: Int

    var testDescription: String { name }
    var callCount: Int { FaultRun.callCount / callsDividedBy }

    /// Who follows gets up to a thousand changes or messages in one frame, which must have a chance to come through,
    /// and would never know that its requests do not arrive any more.
    var faultsOfFollower: ProxyFaults {
        var followers = faults
        followers.endsAfterBytes = 1...200_000
        followers.endings.removeAll { $0 == .requestsEnded }
        return followers
    }

    private init(_ name: String, callsDividedBy: Int, _ fill: (inout ProxyFaults) -> Void) {
        self.name = name
        self.callsDividedBy = callsDividedBy
        var faults = ProxyFaults()
        fill(&faults)
        self.faults = faults
    }

    static let drops = FaultPattern("drops", callsDividedBy: 1) { faults in
        faults.endsAfterBytes = 1...FaultRun.bytes(20_000)
    }

    static let all = [
        drops,
        FaultPattern("half-closes", callsDividedBy: 5) { faults in
            faults.endsAfterBytes = 1...FaultRun.bytes(8_000)
            faults.endings = [.answersEnded, .requestsEnded]
        },
        FaultPattern("closes at once after accepting", callsDividedBy: 5) { faults in
            faults.closedAtOncePercent = 50
            faults.endsAfterBytes = 1...FaultRun.bytes(8_000)
            faults.endings = ProxyFaults.Ending.allCases
        },
        FaultPattern("delays", callsDividedBy: 10) { faults in
            faults.endsAfterBytes = 1...FaultRun.bytes(8_000)
            faults.pauseMicroseconds = 0...4_000
        },
        FaultPattern("single bytes", callsDividedBy: 10) { faults in
            faults.endsAfterBytes = 1...FaultRun.bytes(6_000)
            faults.pieceBytesMax = 1
        },
    ]
}
