import ArgumentParser
import StoreBasics
import StoreClient

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find problems, and suggest a first step for each.",
        discussion: """
            The command checks the settings of ghoststorectl, the systemd units, the socket, your groups, the daemon, \
            its store, whether keys can reach the swap, the state directory, the key file, disk space, the clock, the \
            age of backups and the replica group. It changes nothing, and no command that it suggests deletes or \
            overwrites anything. It also works if no daemon runs, and exits 7 if it finds a problem. It reports the \
            checks that this user cannot make; root can make all of them.
            """)

    @Option(
        help: ArgumentHelp(
            "Configuration file of the daemon; '-' is standard input (default: the file that the daemon's unit names).",
            valueName: "file"),
        completion: .file())
    var config: String?

    @Option(help: ArgumentHelp("Hide the findings of this check. Can be repeated.", valueName: "check"))
    var skip: [WordOption<Finding.Check>] = []

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let output = global.makeOutput()
        let findings = try await findings().filter { finding in !skip.contains { $0.value == finding.check } }
        for finding in findings {
            switch output.form {
            case .people:
                for line in finding.lines(output.style) {
                    try output.line(line)
                }
            case .names where finding.state != .problem: continue
            case .names, .objects, .rows:
                try output.record(finding.json, Finding.record, Finding.record.fields)
            }
        }
        try output.flush()
        let count = findings.count { $0.state == .problem }
        guard count == 0 else { throw CommandFailure(.found, "\(Quantity.count(count, "problem")) found") }
    }

    private func findings() async throws -> [Finding] {
        var place = try DaemonPlace(socket: global.socket, configuration: config)
        let units = UnitFacts(place.kind)
        let host = HostChecks(place: place, units: units).findings
        do throws(StoreClientError) {
            var configuration = ClientConfiguration()
            (configuration.callDeadline, configuration.connectTimeout) = (Self.deadline, Self.deadline)
            let client = try await StoreClient.connect(to: place.socketPath, configuration: configuration)
            let status = try await client.status()
            place.reportedStateDirectory = status.stateDirectory.isEmpty ? nil : status.stateDirectory
            let daemon = await DaemonChecks(status: status, client: client, place: place, units: units).findings()
            await client.close()
            let size = status.processID == 0 ? nil : status.databaseBytes
            return host + daemon + StoreFileChecks(place: place, databaseBytes: size).findings
        } catch {
            // If a finding already reports the missing socket, a second one about the silent daemon adds nothing.
            let isKnown = host.contains { $0.check == .socket && $0.state == .problem }
            let silence = Finding.problem(
                .daemon, error.message.replacing("; hint: ", with: ": "),
                mend: place.kind == .other ? "man ghoststored" : "\(place.systemctl) restart ghoststored.service")
            return host + (isKnown ? [] : [silence]) + StoreFileChecks(place: place, databaseBytes: nil).findings
        }
    }

    private static let deadline = Duration.seconds(5)
}
