import ArgumentParser
import Glibc

struct ReplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replication",
        abstract: "Measures groups of stores over a nats-server on loopback.",
        discussion: """
            Starts nats-server, and daemons with agents of their own, in fresh directories under --scratch, and stops \
            them at the end. All of them share this machine: what a device far away would do is done here too. Parts:

            \(ReplicationPart.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
            """)

    @Option(name: .long, parsing: .upToNextOption, help: "Only these parts.")
    var parts: [ReplicationPart] = []

    @Option(name: .long, help: "Servers of the cluster: 1 or 3.")
    var servers: Int = 1

    @Option(name: .long, help: "Saves of each line of the latency.")
    var samples: Int = 1_000

    @Option(name: .long, help: "Measured seconds of each run of the throughput and of the cost.")
    var seconds: Double = 4

    @Option(name: .long, help: "Rounds of the cost in alternation; medians are reported.")
    var rounds: Int = 5

    @Option(name: .long, help: "Messages of the catch-up.")
    var messages: Int = 100_000

    @Flag(
        name: .long,
        help: "Servers and second devices have the lowest priority, as they would be on machines of their own.")
    var othersYield = false

    @Option(name: .long, help: "The ghoststored to start; else the one beside this program.")
    var daemon: String?

    @Option(name: .long, help: "The ghoststore-sync to start; else the one beside this program.")
    var agent: String?

    @Option(name: .long, help: "Where scratch directories are made, on the disk that is to be measured.")
    var scratch: String = "/var/tmp"

    @Option(name: .long, help: "The same for servers and second devices, as if these had disks of their own.")
    var othersScratch: String?

    @Option(name: .long, help: "Write everything to this file as JSON.")
    var json: String?

    @Option(name: .long, help: "Write the tables to this file as Markdown.")
    var markdown: String?

    func validate() throws {
        guard servers == 1 || servers == 3 else { throw ValidationError("there are 1 or 3 servers") }
        guard samples > 0, seconds > 0, rounds > 0, messages > 0 else {
            throw ValidationError("samples, seconds, rounds and messages must be above 0")
        }
    }

    func run() async throws {
        CleanUp.install()
        defer { CleanUp.run() }
        let programs = ReplicationPrograms(
            daemon: try daemon ?? HostilePrograms.beside("ghoststored"),
            agent: try agent ?? HostilePrograms.beside("ghoststore-sync"))
        for program in [programs.daemon, programs.agent] {
            guard access(program, X_OK) == 0 else {
                throw BenchError("no program at \(program); hint: make release release-sync, or name it")
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
