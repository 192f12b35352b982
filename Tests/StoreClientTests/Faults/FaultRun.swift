import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Shared support for the suites of this folder: a daemon, and clients that reach it through a proxy that injects
/// faults.
enum FaultRun {
    /// The number of calls of one test. `make client-long` makes more.
    static let callCount = Settings.number("CLIENT_CALLS", default: TestTier.count(1_000, long: 5_000))
    static let taskCount = 20
    static let minutesMax = 1 + callCount / 5_000
    /// The longest time that a call may take. It is far longer than any delay that the faults cause, so that a call
    /// that never ends fails visibly.
    static let callDeadline = Duration.seconds(20)

    static var configuration: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.callDeadline = callDeadline
        configuration.reconnectDelayMin = .milliseconds(1)
        configuration.reconnectDelayMax = .milliseconds(50)
        return configuration
    }

    /// Connects a client, and only then enables the faults on its connections.
    static func connect(
        _ proxy: FaultyProxy, _ faults: ProxyFaults, configuration: ClientConfiguration = configuration
    ) async throws -> StoreClient {
        proxy.setFaults(ProxyFaults())
        let client = try await StoreClient.connect(to: proxy.socketPath, configuration: configuration)
        proxy.setFaults(faults)
        proxy.dropConnections()
        return client
    }

    /// Returns the number of calls after which all connections are closed. In a test of `count` calls they are closed
    /// at least twenty times.
    static func callsBetweenDrops(_ count: Int) -> Int {
        max(1, min(50, count / 20))
    }

    /// Returns the number of bytes after which a connection ends: half as many in a short run as in a long one, so that
    /// a short run meets enough ends. With far fewer bytes, none of the calls that the tasks have in flight would
    /// succeed.
    static func bytes(_ count: Int) -> Int {
        callCount < 5_000 ? count / 2 : count
    }

    /// Runs `call` with the numbers from 0 to `count - 1`, spread over the tasks. Each task makes its calls one after
    /// the other.
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

struct FaultPattern: Sendable, CustomTestStringConvertible {
    let name: String
    let faults: ProxyFaults
    /// The number by which a test's number of calls is divided, because some faults make every call slow. It must not
    /// be too large: with very few calls, a test could meet only one fault.
    let callsDividedBy: Int

    var testDescription: String { name }
    var callCount: Int { FaultRun.callCount / callsDividedBy }

    /// The faults for a client that follows a log or watches. One frame to this client contains up to a thousand
    /// changes or messages, so a connection must last long enough for one frame. Connections whose requests are lost
    /// are left out, because a follower that sends nothing cannot notice them.
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
        FaultPattern("delays", callsDividedBy: 5) { faults in
            faults.endsAfterBytes = 1...FaultRun.bytes(8_000)
            faults.pauseMicroseconds = 0...4_000
        },
        FaultPattern("single bytes", callsDividedBy: 5) { faults in
            faults.endsAfterBytes = 1...FaultRun.bytes(6_000)
            faults.pieceBytesMax = 1
        },
    ]
}
