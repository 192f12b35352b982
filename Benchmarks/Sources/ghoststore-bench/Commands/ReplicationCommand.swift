import ArgumentParser
import Glibc

struct ReplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replication",
        abstract: "Measures groups of stores over a nats-server on loopback.",
        discussion: """
            Starts nats-server, daemons and their agents in fresh directories under --scratch, and stops them at the \
            end. All of them share this machine, so the work of the other devices is done here too. Parts:

            \(ReplicationPart.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
            """)

    @Option(name: .long, parsing: .upToNextOption, help: "Measure only these parts.")
    var parts: [ReplicationPart] = []

    @Option(name: .long, help: "Number of servers in the cluster: 1 or 3.")
    var servers: Int = 1

    @Option(name: .long, help: "Number of saves for each line of the latency table.")
    var samples: Int = 1_000

    @Option(name: .long, help: "Seconds to measure in each run of throughput and cost.")
    var seconds: Double = 4

    @Option(name: .long, help: "Number of rounds of the cost in alternation; the report has the medians.")
    var rounds: Int = 5

    @Option(name: .long, help: "Number of messages of the catch-up.")
    var messages: Int = 100_000

    @Flag(
        name: .long,
        help: "Run servers and second devices with the lowest priority, as if they were on other machines.")
    var othersYield = false

    @Option(name: .long, help: "The ghoststored to start; a release build.")
    var daemon: String = ".build/release/ghoststored"

    @Option(name: .long, help: "The ghoststore-sync to start; a release build.")
    var agent: String = ".build/release/ghoststore-sync"

    @Option(name: .long, help: "Folder for scratch directories, on the disk to be measured.")
    var scratch: String = "/var/tmp"

    @Option(
        name: .long,
        help: "Folder for the scratch directories of servers and second devices, as if they had their own disks.")
    var othersScratch: String?

    @Option(name: .long, help: "Write the report to this file as JSON.")
    var json: String?

    @Option(name: .long, help: "Write the tables to this file as Markdown.")
    var markdown: String?

    func validate() throws {
        guard servers == 1 || servers == 3 else { throw ValidationError("the number of servers must be 1 or 3") }
        guard samples > 0, seconds > 0, rounds > 0, messages > 0 else {
            throw ValidationError("samples, seconds, rounds and messages must be above 0")
        }
    }

    func run() async throws {
        CleanUp.install()
        defer { CleanUp.run() }
        let programs = ReplicationPrograms(daemon: daemon, agent: agent)
        for program in [programs.daemon, programs.agent] {
            guard access(program, X_OK) == 0 else {
                throw BenchError("no program at \(program); hint: make release-programs, or name it")
            }
        }
        var replication = try ReplicationRun(
            ReplicationPlan(
                parts: Set(parts.isEmpty ? ReplicationPart.allCases : parts), serverCount: servers, samples: samples,
                duration: LoopDuration(warmUpSeconds: min(0.5, seconds), seconds: seconds), rounds: rounds,
                messages: messages, othersYield: othersYield, scratchParent: scratch,
                othersScratchParent: othersScratch ?? scratch, programs: programs))
        let report = try await replication.run()
        print(report.text)
        if let json {
            try JSONFile.write(report, to: json)
        }
        if let markdown {
            try TextFile.write(report.markdown, to: markdown)
        }
    }
}
