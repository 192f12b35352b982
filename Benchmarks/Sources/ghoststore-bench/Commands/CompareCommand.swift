import ArgumentParser
import Glibc

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Starts ghoststored and its peers on this machine and measures them in alternation.",
        discussion: """
            Peers: redis-server (appendfsync always) through redis-benchmark, PostgreSQL through pgbench, and three C \
            programs of Benchmarks/peers, built here. Every server gets a fresh directory under --scratch and is \
            stopped at the end. Parts:

            \(ComparisonPart.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
            """)

    @Option(name: .long, parsing: .upToNextOption, help: "Measure only these parts.")
    var parts: [ComparisonPart] = []

    @Option(name: .long, help: "Number of rounds in alternation; the report has the medians.")
    var rounds: Int = 3

    @Option(name: .long, help: "Seconds to measure in each run.")
    var seconds: Double = 3

    @Option(name: .long, help: "Seconds of warm-up before each measurement.")
    var warmUp: Double = 0.5

    @Option(name: .long, help: "Number of messages in the big store.")
    var messages: Int = 1_000_000

    @Flag(name: .long, help: "Use a big store of 10,000,000 messages.")
    var large = false

    @Option(name: .long, help: "The daemon to measure; a release build.")
    var daemon: String = ".build/release/ghoststored"

    @Option(name: .long, help: "The project's directory, for Benchmarks/peers.")
    var project: String = "."

    @Option(name: .long, help: "Folder for scratch directories; all programs write to its file system.")
    var scratch: String = "/var/tmp"

    @Option(name: .long, help: "Write the report to this file as JSON.")
    var json: String?

    @Option(name: .long, help: "Write the table to this file as Markdown.")
    var markdown: String?

    @Flag(name: .long, help: "Exit with code 2 if a goal is missed.")
    var requireGoals = false

    func validate() throws {
        guard rounds > 0, seconds > 0, warmUp >= 0, messages >= 100_000 else {
            throw ValidationError("rounds and seconds must be above 0, and the big store needs 100,000 messages")
        }
    }

    func run() async throws {
        CleanUp.install()
        defer { CleanUp.run() }
        let peerPrograms = try buildPeers()
        guard access(daemon, X_OK) == 0 else {
            throw BenchError("no daemon at \(daemon); hint: make release-programs, or name it with --daemon")
        }
        var comparison = try Comparison(
            ComparisonPlan(
                parts: Set(parts.isEmpty ? ComparisonPart.allCases : parts), rounds: rounds,
                duration: LoopDuration(warmUpSeconds: warmUp, seconds: seconds),
                bigStoreMessages: large ? 10_000_000 : messages, scratchParent: scratch, daemonProgram: daemon,
                peerPrograms: peerPrograms))
        let report = try await comparison.run()
        print(ComparisonText.table(report))
        if let json {
            try JSONFile.write(report, to: json)
        }
        if let markdown {
            try TextFile.write(ComparisonText.markdown(report), to: markdown)
        }
        guard report.failedParts.isEmpty else {
            throw BenchError("not measured: \(report.failedParts.joined(separator: ", ")); the causes are above")
        }
        if requireGoals, report.budget.contains(where: { $0.isMet == false }) {
            throw ExitCode(2)
        }
    }

    /// Builds the C programs of the comparison.
    ///
    /// - Returns: the directory of the programs.
    private func buildPeers() throws(BenchError) -> String {
        let output = project + "/.build/bench-peers"
        let make = try Programs.require("make", at: ["make"], package: "make gcc libsqlcipher-dev pkg-config")
        let log = "/tmp/ghoststore-bench-peers-\(getpid()).log"
        defer { unlink(log) }
        let absoluteOutput = output.hasPrefix("/") ? output : Self.currentDirectory + "/" + output
        _ = try ChildProcess.run(
            [make, "-s", "-C", project + "/Benchmarks/peers", "OUTPUT=" + absoluteOutput], outputPath: log)
        return absoluteOutput
    }

    private static var currentDirectory: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }
}
