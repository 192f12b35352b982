import ArgumentParser
import StoreClient

struct ReplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replication", abstract: "Keep this store in step with the stores of other devices.",
        subcommands: [
            ReplicationCreateCommand.self, ReplicationInviteCommand.self, ReplicationJoinCommand.self,
            ReplicationStatusCommand.self, ReplicationRemoveCommand.self, ReplicationLeaveCommand.self,
            LostEditsCommand.self, DismissEditCommand.self,
        ])
}

struct ReplicationCreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a replica group with this store as its first device.",
        discussion: """
            Rules select the data that is replicated. They are the same on all devices and cannot be changed later. A \
            rule is an area (contacts, conversations, scenes, files, logs) or AREA:PATTERN, such as 'scenes:notes.*', \
            where '*' matches any characters. Without a rule, everything is replicated.
            """)

    @Option(help: "Name of this device, 1 to 64 bytes.")
    var name: String

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Replicate only the data that this rule selects. Repeat for more rules.", valueName: "rule"),
        completion: .list(Self.areas))
    var takePart: [String] = []

    @OptionGroup var global: GlobalOptions

    private static let areas = ["contacts", "conversations", "scenes", "files", "logs"]

    func run(_ session: Session) async throws {
        let device = try await session.client.createReplicaGroup(
            deviceName: name, selection: takePart.isEmpty ? Self.areas : takePart)
        try session.output.say(
            "created a group; this store is its device \(device)", json: ["device": device.description],
            name: device.description)
    }
}

struct ReplicationInviteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Create a code with which one other device can join the group.",
        discussion: """
            Until the code expires, a person with the code can get all data that is replicated. The code is printed \
            once, alone on standard output, and lets one device join. It cannot be revoked.
            """)

    @Option(help: ArgumentHelp("Time until the code expires, from 1m to 1w.", valueName: "period"))
    var valid = ValidityOption.standard

    @OptionGroup var code: InvitationCodeOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let target = try RecoveryCodeTarget(code.path, .invitation)
        var invitation = try await session.client.inviteReplicaDevice(validFor: valid.duration)
        try session.output.sayBeside(
            "the code is valid until \(session.text(invitation.expiresAt)); run on the other device: "
                + "ghoststorectl replication join --name NAME",
            json: ["expires_at_microseconds": invitation.expiresAt.microseconds])
        guard let code = invitation.takeCode() else {
            throw CommandFailure(.internalFailure, "the daemon sent no code")
        }
        try target.write(code, session.output)
    }
}

struct ReplicationJoinCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Ask to join a replica group with a code from one of its devices.",
        discussion: """
            The command asks for the code on the terminal, unless --code-file names a file. The content of this store \
            is merged with the content of the group as soon as ghoststore-sync transfers the content; 'replication \
            status' shows the progress. With --wait, the command ends when the store has joined and has all data of \
            the group. If this takes longer, the command exits with 75, and the join continues without it.

            A merge may delete data. For each conversation, the values of keep_for and keep_count that were set last \
            on either side apply on all devices, and may delete messages on all of them. If one side deleted an item, \
            such as a message or a file, after the other side had last changed it, the item is deleted on both sides. \
            Because the command cannot show in advance how much will be deleted, it asks on the terminal if the store \
            is not new; without a terminal it needs --yes. Make a backup first.
            """)

    @Option(help: "Name of this device, 1 to 64 bytes.")
    var name: String

    @Option(
        help: ArgumentHelp("Read the code from a file; '-' is standard input.", valueName: "file"),
        completion: .file())
    var codeFile: String?

    @Option(
        help: ArgumentHelp("Wait at most this long, 1m to 1w, until this store has joined.", valueName: "period"))
    var wait: ValidityOption?

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        if !yes {
            try await Self.confirm(session.client)
        }
        let code =
            try codeFile.map(Self.code(in:))
            ?? SecretSource.prompt("Invitation code", kind: .recoveryCode, insteadOf: "--code-file")
        let device = try await session.client.joinReplicaGroup(code: code, deviceName: name)
        if let wait {
            try await Self.awaitMembership(session.client, for: wait.duration)
        }
        let outcome = wait == nil ? "asked to join" : "joined"
        try session.output.say(
            "\(outcome) as device \(device); see ghoststorectl replication status",
            json: ["device": device.description], name: device.description)
    }

    /// Waits until this store is a member and has received the data of the group.
    private static func awaitMembership(_ client: StoreClient, for period: Duration) async throws {
        let end = ContinuousClock.now + period
        while true {
            let status = try await client.replicaStatus()
            guard status.state != .member || status.hope != nil else { return }
            if status.state == .removed || status.state == .changed {
                throw CommandFailure(.precondition, status.advice.first ?? "the store cannot join")
            }
            guard .now < end else {
                let cause = status.hope ?? "this store has not joined yet"
                throw CommandFailure(.temporary, "the store has not joined in time: \(cause)")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// Says that joining may delete data, and asks for confirmation. The question cannot say which data, because the
    /// daemon receives the rules and deletions of the group only after it has joined.
    private static func confirm(_ client: StoreClient) async throws {
        let counts = try await client.statistics()
        guard counts.revision > 0 else { return }
        let held = [
            Quantity.count(counts.messageCount, "message"), Quantity.count(counts.conversationCount, "conversation"),
            Quantity.count(counts.contactCount, "contact"),
        ]
        try Confirmation.ask(
            """
            This store has \(held.joined(separator: ", ")). Joining merges this store with the group. The group's \
            retention rules and deletions may delete data of this store, and this store's rules and deletions may \
            delete data of the group, on all devices. Join?
            """, word: "join")
    }

    /// The largest input: longer than a code with a space after each of its characters.
    private static let codeBytesMax = 80

    private static func code(in path: String) throws -> SecretInput {
        let code = try SecretSource.file(path, kind: .recoveryCode)
        guard code.byteCount <= codeBytesMax else {
            let place = path == "-" ? "standard input" : path
            throw CommandFailure(
                .badData,
                "\(place) contains more than an invitation code; hint: 'replication invite --code-output FILE' "
                    + "writes only the code")
        }
        return code
    }
}

struct ReplicationStatusCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the state of each device of the group, this device first.",
        discussion: """
            Two devices are in step if each has all changes that the other has published. A device reports what it has \
            with its own changes, and otherwise within two minutes.
            """)

    @Flag(help: "Exit 3 unless this store is in step with all devices.")
    var requireInStep = false

    @OptionGroup var columns: ColumnOptions<ReplicaRow>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let listing = try Listing<ReplicaRow>(session.output, columns.names, emptyText: "no devices")
        let status = try await session.client.replicaStatus()
        try listing.show(ReplicaRow.rows(of: status))
        try listing.finish()
        for sentence in [status.hope, status.lostEdits].compactMap({ $0 }) + status.advice {
            Diagnostics.warn(sentence)
        }
        if requireInStep, status.state != .member || !status.devicesOutOfStep.isEmpty {
            let names = status.devicesOutOfStep.joined(separator: ", ")
            throw CommandFailure(
                .precondition,
                status.state == .member
                    ? "this store is not in step with \(names)"
                    : "this store is not in step: its state in the group is \(status.state.rawValue)")
        }
    }
}

struct ReplicationRemoveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove another device from the group.",
        discussion: """
            The command asks on the terminal. If several devices have the same name (this device counts too), use the \
            number of the device. The removed device keeps its data. The changes that it makes later are not merged, \
            and it cannot read later changes of the group. To return, it must join again as a new device.
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
        commandName: "leave", abstract: "Leave the group and keep the data.",
        discussion: """
            The command asks on the terminal. The other devices are not notified that this device left, so also \
            remove it on one of them.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let status = try await known(session.client)
        if !yes, let status {
            let waiting =
                status.waitingCount > 0
                ? " \(Quantity.count(status.waitingCount, "sealed message")) of this device will never reach "
                    + "the other devices." : ""
            try Confirmation.ask("Leave the group as device \(status.device)?\(waiting)", word: "leave")
        }
        try await session.client.leaveReplicaGroup()
        var object: JSONObject = ["left": true]
        object.add("device", ifPresent: status?.device.description)
        try session.output.say("left the group" + (status?.farewell ?? ""), json: object)
    }

    /// - Returns: The status; `nil` if this user may not see it and `--yes` makes the question unnecessary.
    private func known(_ client: StoreClient) async throws -> ReplicaStatus? {
        do throws(StoreClientError) {
            return try await client.replicaStatus()
        } catch {
            guard yes, error.code == .permissionDenied else { throw error }
            return nil
        }
    }
}

/// The time for which an invitation is valid.
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

/// The destination for the code of an invitation.
struct InvitationCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the code to a new file of mode 0600; '-' is standard output, the default.", valueName: "file"),
        completion: .file())
    var codeOutput: String?

    /// The path; `nil` for standard output.
    var path: String? {
        codeOutput == "-" ? nil : codeOutput
    }
}
