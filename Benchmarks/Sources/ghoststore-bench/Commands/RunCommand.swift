import ArgumentParser
import Glibc

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs closed-loop scenarios against a running daemon.",
        discussion: """
            Every client has one request in flight. Scenarios:

            \(Scenario.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))

            The run saves messages and leaves them in the store, so use a store that has no other purpose. If a \
            request fails, the run ends with exit code 1.
            """)

    @Argument(help: "Scenarios to run, in order (default: all).")
    var scenarios: [Scenario] = []

    @Option(
        name: .shortAndLong, help: "Path of the daemon's socket (default: $GHOSTSTORE_SOCKET, else the usual sockets).")
    var socket: String?

    @Option(name: .shortAndLong, help: "Numbers of clients, each measured separately: 1,16,64.")
    var clients: ClientCounts = ClientCounts([1])

    @Option(name: .long, help: "Seconds to measure in each run.")
    var seconds: Double = 5

    @Option(name: .long, help: "Seconds of warm-up before each measurement.")
    var warmUp: Double = 1

    @Option(name: .long, help: "Number of conversations to preload.")
    var conversations: Int = 10

    @Option(name: .long, help: "Number of messages to preload, over all conversations.")
    var messages: Int = 10_000

    @Option(name: .long, help: "Number from which the data set is made: the same number makes the same data set.")
    var seed: UInt64?

    @Flag(name: .long, help: "The store has the data set of --seed from an earlier run: only measure reads.")
    var prepared = false

    @Option(name: .long, help: "Write the measurements to this file as JSON.")
    var json: String?

    func validate() throws {
        guard seconds > 0, warmUp >= 0, conversations > 0, messages > 0 else {
            throw ValidationError("seconds, conversations and messages must be above 0, and the warm-up 0 or more")
        }
        guard !prepared || (seed != nil && !scenarios.isEmpty && scenarios.allSatisfy(\.readsOnly)) else {
            throw ValidationError("--prepared needs the --seed of the earlier run, and scenarios that only read")
        }
    }

    func run() async throws {
        let socketPath = try SocketChoice.path(socket)
        let dataSet = DataSet(conversationCount: conversations, messageCount: messages, seed: seed)
        if !prepared {
            try await Preload.run(dataSet, clientCount: clients.greatest, socketPath: socketPath)
        }
        var runner = ScenarioRunner(socketPath: socketPath, dataSet: dataSet, hasSearchedMessages: prepared)
        let duration = LoopDuration(warmUpSeconds: warmUp, seconds: seconds)
        var measurements: [Measurement] = []
        print(MeasurementTable.header)
        for scenario in scenarios.isEmpty ? Scenario.allCases : scenarios {
            for count in scenario.clientCounts(clients.counts) {
                let measurement = try await runner.run(scenario, clients: count, duration: duration)
                MeasurementTable.lines(measurement).forEach { print($0) }
                measurements.append(measurement)
            }
        }
        if let json {
            try JSONFile.write(RunReport(machine: Machine.describe(), measurements: measurements), to: json)
        }
    }
}

/// The report that `run --json` writes.
struct RunReport: Codable {
    var machine: Machine
    var measurements: [Measurement]
}

extension Scenario: ExpressibleByArgument {}

/// Numbers of clients on the command line, such as "1,16,64".
struct ClientCounts: ExpressibleByArgument {
    static let most = 10_000
    let counts: [Int]

    init(_ counts: [Int]) {
        self.counts = counts
    }

    init?(argument: String) {
        let counts = argument.split(separator: ",").compactMap { Int($0) }
        guard !counts.isEmpty, counts.allSatisfy({ (1...Self.most).contains($0) }),
            counts.count == argument.split(separator: ",", omittingEmptySubsequences: false).count
        else { return nil }
        self.counts = counts
    }

    var greatest: Int { counts.max() ?? 1 }

    var defaultValueDescription: String {
        counts.map(String.init).joined(separator: ",")
    }
}
