import ArgumentParser
import StoreClient

struct ReplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replication", abstract: "Bring this store into step with those of other devices.",
        subcommands: [
            ReplicationCreateCommand.self, ReplicationInviteCommand.self, ReplicationJoinCommand.self,
            ReplicationStatusCommand.self, ReplicationRemoveCommand.self, ReplicationLeaveCommand.self,
        ])
}

struct ReplicationCreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a group of which this store is the first device.",
        discussion: """
            What takes part is the same on all devices and cannot be changed later: a rule is an area (contacts, \
            conversations, scenes, files, logs) or AREA:PATTERN, such as 'scenes:notes.*', where '*' is any run of \
            characters. Without a rule everything takes part.
            """)

    @Option(help: "What people call this device, 1 to 64 bytes.")
    var name: String

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("What takes part; given several times for several rules.", valueName: "rule"),
        completion: .list(Self.areas))
    var takePart: [String] = []

    @OptionGroup var global: GlobalOptions

    private static let areas = ["contacts", "conversations", "scenes", "files", "logs"]

    func run(_ session: Session) async throws {
        let device = try await session.client.createReplicaGroup(
            deviceName: name, selection: takePart.isEmpty ? Self.areas : takePart)
        try session.output.say(
            "made a group; this store is its device \(device)", json: ["device": device.description])
    }
}

struct ReplicationInviteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make a code with which one other device joins the group.",
        discussion: """
            Whoever has the code until its end gets everything that takes part. It is printed once, alone on standard \
            output, and lets one device in. It cannot be taken back before its end.
            """)

    @Option(help: ArgumentHelp("How long the code is good for, from 1m to 1w.", valueName: "period"))
    var valid = ValidityOption.standard

    @OptionGroup var code: InvitationCodeOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let target = try RecoveryCodeTarget(code.path, .invitation)
        var invitation = try await session.client.inviteReplicaDevice(validFor: valid.duration)
        try session.output.sayBeside(
            "the code is good until \(session.text(invitation.expiresAt)); on the other device: "
                + "ghoststorectl replication join --name NAME",
            json: ["expires_at_microseconds": invitation.expiresAt.microseconds])
        guard let code = invitation.takeCode() else {
            throw CommandFailure(.internalFailure, "the daemon made no code")
        }
        try target.write(code, session.output)
    }
}

struct ReplicationJoinCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Ask to be let into the group that a code was made for.",
        discussion: """
            The code is asked for on the terminal, unless a file has it. What this store holds is merged with what the \
            group holds, as soon as messages are brought over: 'replication status' tells how far that is.

            Merging may delete. For each conversation the later keep_for and keep_count hold on all devices, and may \
            delete messages here and there. What one side deleted later than the other side changed it is deleted on \
            both. How much that is cannot be known before. So a store that is not new asks first, on the terminal; \
            without a terminal it needs --yes. Make a backup first.
            """)

    @Option(help: "What people call this device, 1 to 64 bytes.")
    var name: String

    @Option(
        help: ArgumentHelp("Read the code from a file; '-' is standard input.", valueName: "file"),
        completion: .file())
    var codeFile: String?

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        if !yes {
            try await Self.confirm(session.client)
        }
        let code =
            try codeFile.map(Self.code(in:))
            ?? SecretSource.prompt("Code of the invitation", kind: .recoveryCode, insteadOf: "--code-file")
        let device = try await session.client.joinReplicaGroup(code: code, deviceName: name)
        try session.output.say(
            "asked to be let in as device \(device); see ghoststorectl replication status",
            json: ["device": device.description])
    }

    /// Says what joining may delete, and asks. The daemon learns the rules and deletions of the group only afterwards.
    private static func confirm(_ client: StoreClient) async throws {
        let counts = try await client.statistics()
        guard counts.revision > 0 else { return }
        let held = [
            Quantity.count(counts.messageCount, "message"), Quantity.count(counts.conversationCount, "conversation"),
            Quantity.count(counts.contactCount, "contact"),
        ]
        try Confirmation.ask(
            "This store holds \(held.joined(separator: ", ")). Joining merges it with the group: retention rules and "
                + "deletions of the group may delete some of that, and those of this store some of what the group "
                + "holds, on all devices. Join?", word: "join")
    }

    /// Longer than a code with a space behind each of its characters.
    private static let codeBytesMax = 80

    private static func code(in path: String) throws -> SecretInput {
        let code = try SecretSource.file(path, kind: .recoveryCode)
        guard code.byteCount <= codeBytesMax else {
            let place = path == "-" ? "standard input" : path
            throw CommandFailure(
                .badData,
                "\(place) holds more than the code of an invitation; hint: 'replication invite --code-output FILE' "
                    + "writes it alone")
        }
        return code
    }
}

struct ReplicationStatusCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show how far each device of the group is, this one first.")

    @OptionGroup var columns: ColumnOptions<ReplicaRow>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let listing = try Listing<ReplicaRow>(session.output, columns.names, emptyText: "no devices")
        let status = try await session.client.replicaStatus()
        try listing.show(ReplicaRow.rows(of: status))
        try listing.finish()
        for sentence in [status.hope].compactMap({ $0 }) + status.advice {
            Diagnostics.warn(sentence)
        }
    }
}

struct ReplicationRemoveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove another device from the group.",
        discussion: """
            Asks first, on the terminal. A name that several devices have, this one among them, is refused: the number \
            tells them apart. What the device has stays there, but nothing of what it changes later is merged, and it \
            can read nothing that the group changes later. It cannot be taken back: the device joins anew.
            """)

    @Argument(help: "Name or number of the device.", completion: .live(.replicaDevices))
    var device: String

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [device] }

    func run(_ session: Session) async throws {
        let found = try await session.client.replicaStatus().device(named: device)
        if !yes {
            try Confirmation.ask("Remove the device \(found.name) (\(found.id)) from the group?", word: "remove")
        }
        try await session.client.removeReplicaDevice(found.id)
        try session.output.say(
            "removed the device \(found.name) (\(found.id))",
            json: ["removed_device": found.id.description, "name": found.name])
    }
}

struct ReplicationLeaveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Leave the group: the store keeps what it holds.",
        discussion: """
            Asks first, on the terminal. The other devices do not learn of it: remove this one on one of them as well.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let status = try await known(session.client)
        if !yes, let status {
            let waiting =
                status.waitingCount > 0
                ? " \(Quantity.count(status.waitingCount, "message")) of it will never reach the others." : ""
            try Confirmation.ask("Leave the group as device \(status.device)?\(waiting)", word: "leave")
        }
        try await session.client.leaveReplicaGroup()
        var object: JSONObject = ["left": true]
        object.add("device", ifPresent: status?.device.description)
        try session.output.say("left the group" + (status?.farewell ?? ""), json: object)
    }

    /// - Returns: `nil` where nothing is to be asked and this user may not see it.
    private func known(_ client: StoreClient) async throws -> ReplicaStatus? {
        do throws(StoreClientError) {
            return try await client.replicaStatus()
        } catch {
            guard yes, error.code == .permissionDenied else { throw error }
            return nil
        }
    }
}

/// How long an invitation is good for.
struct ValidityOption: ExpressibleByArgument {
    static let standard = ValidityOption(milliseconds: 3_600_000, text: "1h")

    let duration: Duration
    private let text: String

    init?(argument: String) {
        guard let milliseconds = TimeSpan.milliseconds(argument), 60_000...604_800_000 ~= milliseconds else {
            return nil
        }
        self.init(milliseconds: milliseconds, text: argument)
    }

    private init(milliseconds: Int64, text: String) {
        duration = .milliseconds(milliseconds)
        self.text = text
    }

    var defaultValueDescription: String { text }
}

/// Where the code of an invitation goes.
struct InvitationCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the code to a new file of mode 0600 instead of standard output, which '-' is.", valueName: "file"),
        completion: .file())
    var codeOutput: String?

    /// `nil`: standard output.
    var path: String? {
        codeOutput == "-" ? nil : codeOutput
    }
}
