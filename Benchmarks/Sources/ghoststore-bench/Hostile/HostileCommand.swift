import ArgumentParser
import Glibc
import StoreBasics
import StoreProtocol

struct HostileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hostile",
        abstract: "Measures one client while another client with few rights attacks the daemon.",
        discussion: """
            For each attack the command starts a daemon with the default limits. It measures a client that saves and \
            lists messages, alone and during the attack, and prints both results with the largest resident memory of \
            the daemon. As root, attacker and victim are two users with an access rule each; otherwise both are this \
            user. Attacks:

            \(Attack.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
            """)

    @Argument(help: "Attacks to make, in order (default: all).")
    var attacks: [Attack] = []

    @Option(name: .long, help: "The ghoststored to start; a release build.")
    var daemon: String = ".build/release/ghoststored"

    @Option(name: .long, help: "Seconds to measure, without and with the attack.")
    var seconds: Double = 8

    @Option(name: .long, help: "Folder for the stores, on the disk to be measured.")
    var directory: String = "/var/tmp"

    @Option(name: .long, help: "Write the measurements to this file as JSON.")
    var json: String?

    func validate() throws {
        guard seconds > 0 else { throw ValidationError("the seconds must be above 0") }
    }

    func run() throws {
        let limit = MemoryLimit()
        let limitText = limit == nil ? "not set: no control group can be made here" : "1 GiB, by a control group"
        print("memory limit: \(limitText)")
        if geteuid() != 0 {
            print("not root: attacker and victim run as one user and share its limits")
        }
        setenv("GHOSTSTORE_ACCESS_RULES", HostileUsers.rules, 1)
        CleanUp.install()
        defer { CleanUp.run() }
        var rows: [HostileRow] = []
        for attack in attacks.isEmpty ? Attack.allCases : attacks {
            let run = HostileRun(attack: attack, program: daemon, limit: limit, seconds: seconds)
            let row = try run.measure(in: directory)
            print(row.line)
            rows.append(row)
        }
        print("\n" + HostileRow.table(rows))
        if let json {
            try JSONFile.write(rows, to: json)
        }
    }
}

extension Attack: ExpressibleByArgument {}

/// The attacker, which the command `hostile` starts as a separate process.
struct HostileCallerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hostile-caller", abstract: "Makes one attack.", shouldDisplay: false)

    @Argument var attack: Attack
    @Option var socket: String
    @Option var seconds: Double
    @Option var user: UInt32?

    func run() throws {
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        files.rlim_cur = files.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        if let user {
            guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else {
                throw BenchError("could not become user \(user): \(SystemError.last)")
            }
        }
        for frame in try attack.preparation() {
            var connection = try FrameConnection(to: socket)
            _ = try connection.sendFrame { _ in frame }
            try connection.receive { outline, payload throws(BenchError) in
                guard !outline.isError else {
                    throw BenchError("preparation: \(outline.errorReason(in: payload) ?? "")")
                }
            }
        }
        let load = try HostileLoad(attack, socketPath: socket)
        print(HostileRun.readyText)
        fflush(nil)
        if attack == .busyProcessors {
            keepBusy()
        } else {
            try load.run(seconds: seconds)
        }
    }

    private func keepBusy() {
        let end = MonotonicClock.nanoseconds + seconds.secondsAsNanoseconds
        while MonotonicClock.nanoseconds < end {}
    }
}
