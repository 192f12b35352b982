import ArgumentParser
import StoreClient

struct InitCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a store and leave it open.",
        discussion: """
            Fails if a store exists. Without a secret option the command asks twice for a passphrase. If the last \
            secret of a store is lost, the store can never be opened again: consider --with-recovery-code.
            """)

    @OptionGroup var secret: SecretOptions
    @OptionGroup var recovery: RecoveryCodeOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: "Label of the first key slot, at most 64 bytes.")
    var label = ""

    @Flag(help: "Also create a recovery code, and print it once.")
    var withRecoveryCode = false

    @Flag(help: "Use cheap key derivation, for tests. The daemon's configuration must allow it.")
    var lowCost = false

    func run(_ session: Session) async throws {
        try await refuseInVain(session)
        let recoveryTarget = withRecoveryCode ? try RecoveryCodeTarget(recovery) : nil
        let code = try await session.client.initializeStore(
            secret: try secret.readNew(), label: label, withRecoveryCode: withRecoveryCode, lowCost: lowCost)
        try session.output.say("the store is created and open", json: ["initialized": true])
        if let code, let recoveryTarget {
            try recoveryTarget.write(code, session.output)
        }
    }

    /// Throws before a person is asked for a secret that could not be used: if a store already exists, or if this user
    /// has no right to create one. The right is checked by listing the key slots, which needs the same right.
    private func refuseInVain(_ session: Session) async throws {
        do throws(StoreClientError) {
            _ = try await session.client.keySlots()
        } catch {
            guard error.reason != .storeAbsent else { return }
            guard error.reason != .permissionDenied else { throw Self.withoutRight(global.socket) }
            // An unreadable keyring also shows that a store exists.
            guard error.reason == .keyringDamaged else { throw error }
        }
        throw StoreStateFailure.exists
    }

    private static func withoutRight(_ socket: String?) -> CommandFailure {
        let option = (try? DaemonPlace(socket: socket, configuration: nil))?.socketOption ?? ""
        let reason = StoreClientError.Reason.permissionDenied.rawValue
        return CommandFailure(
            .permission,
            "this user has no right to create a store; hint: root and the daemon's own user may: "
                + "sudo ghoststorectl init\(option)", answer: (reason, reason))
    }
}

/// Failures for states of the store in which a command has no effect.
private enum StoreStateFailure {
    static let absent = CommandFailure(
        .precondition, "there is no store yet; hint: 'ghoststorectl init' creates one",
        answer: ("FAILED_PRECONDITION", StoreClientError.Reason.storeAbsent.rawValue))
    static let nothingToLock = CommandFailure(
        .precondition, "there is no store yet, so there is nothing to lock", answer: absent.answer)
    static let exists = CommandFailure(
        .precondition, "there is a store already, and it was not changed; hint: ghoststorectl status",
        answer: ("FAILED_PRECONDITION", StoreClientError.Reason.storeExists.rawValue))
}

struct UnlockCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Open the store.",
        discussion: """
            Without a secret option the command asks for a passphrase, up to three times. After several wrong \
            passphrases, the daemon delays each further attempt by a few seconds. A store that is open already is left \
            as it is, and the secret is not checked.
            """)

    @Flag(
        help: ArgumentHelp(
            "After the error JOURNAL_DAMAGED or STORE_ROLLED_BACK, open the store although changes are missing.",
            discussion:
                """
                The missing changes, which the daemon had acknowledged, are then lost. If you can, put back the files \
                of the store that were moved or replaced, or restore a backup instead.
                """
        ))
    var acceptLoss = false
    @OptionGroup var secret: SecretOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let state = try await session.client.status().storeState
        guard ![.open, .readOnly].contains(state) else {
            return try session.output.say("the store is open already", json: ["was_open": true])
        }
        guard state != .absent else { throw StoreStateFailure.absent }
        let acceptLoss = acceptLoss
        let slot = try await secret.attempt { secret in
            try await session.client.unlock(secret: secret, acceptingLoss: acceptLoss)
        }
        try session.output.say(
            "the store is open (key slot \(slot))", json: ["was_open": false, "slot": slot])
    }
}

struct LockCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Close the store and wipe its keys from the daemon's memory.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        guard try await session.client.status().storeState != .absent else { throw StoreStateFailure.nothingToLock }
        try await session.client.lock()
        try session.output.say("the store is locked", json: ["locked": true])
    }
}

struct StatusCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the daemon and the state of its store.",
        discussion: "Exits 0 if the daemon answers, in every state of the store; --require-open changes this.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Exit 3 unless the store is open for reading and writing.")
    var requireOpen = false

    func run(_ session: Session) async throws {
        let status = try await session.client.status()
        try session.output.show(status)
        if requireOpen, status.storeState != .open {
            throw CommandFailure(.precondition, "the store is \(status.storeState.word)")
        }
    }
}

struct ClientsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "List the connections to the daemon, oldest first.",
        discussion: """
            Each row has the process and user, the name of the client, the start of the connection, the number of \
            requests and the number of watches. Users who have the right 'administration' see the connections of all \
            users. Other users see only their own connections. The last row is the connection of this command.
            """)

    @OptionGroup var columns: ColumnOptions<ConnectedClient>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(
            try await session.client.connectedClients(), columns.names, emptyText: "no connections are shown")
    }
}

struct StatsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show how many conversations, messages and contacts the store has.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.statistics())
    }
}

struct MetricsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Print the daemon's metrics in Prometheus text format.",
        discussion: "With --json it prints one object per sample, and with --format csv one line per sample.")

    @Flag(name: .customLong("openmetrics"), help: "Print OpenMetrics 1.0 instead.")
    var isOpenMetrics = false

    @Option(
        name: .customLong("textfile"),
        help: ArgumentHelp(
            """
            Write the metrics to a file for the textfile collector of node exporter. All users can read the file. \
            An existing file is replaced as a whole; '-' is standard output.
            """,
            valueName: "file"),
        completion: .file())
    var textFile: String?

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if textFile != nil, isOpenMetrics {
            throw ValidationError(
                "--textfile and --openmetrics cannot be combined: the collector reads only the Prometheus format")
        }
    }

    func run(_ session: Session) async throws {
        let text = try await session.client.metrics(as: isOpenMetrics ? .openMetrics : .prometheus)
        if let textFile {
            let file = try OutputFile(textFile, replacesExisting: true, isPublic: true)
            let writer = DescriptorWriter(descriptor: file.descriptor)
            try writer.write(text)
            try writer.flush()
            return try file.commit()
        }
        switch session.output.form {
        case .people: try session.output.raw(Array(text.utf8))
        case .names:
            for name in MetricSample.names(of: text) { try session.output.line(name) }
        case .objects, .rows:
            for sample in MetricSample.samples(of: text) {
                try session.output.record(sample.json, MetricSample.record, MetricSample.record.fields)
            }
        }
    }
}

struct CheckCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read every page and row of the store, and report damage.",
        discussion: "Exits 4 if the store is damaged.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let report = try await Interruption.withNotice("the daemon continues the check until it is done") {
            try await session.withProgress("checking", "rows") { progress in
                try await session.client.checkStore(progress: progress)
            }
        }
        try session.conclude(report, on: "the store")
    }
}

struct ClearAllDataCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear-all-data",
        abstract: "Delete every conversation, message, draft, contact, scene, log and file.",
        discussion:
            """
            The command asks on the terminal; without a terminal it needs --yes. The key slots stay as they are. \
            This cannot be undone.

            A store that belongs to a replica group also leaves the group: the question says so, and with --yes \
            the command needs --leave-group as well. The other devices keep everything. To delete data on all \
            devices, delete it item by item.
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Leave the replica group, if the store belongs to one.")
    var leaveGroup = false

    func run(_ session: Session) async throws {
        let group = try await group(session.client)
        if !yes {
            let counts = try await session.client.statistics()
            let question =
                "Delete every conversation (\(counts.conversationCount)), message (\(counts.messageCount)) and contact "
                + "(\(counts.contactCount)), every scene, log and file"
            try Confirmation.ask(question + (group?.clearQuestion ?? "?"), word: "clear all data")
        }
        let commit = try await session.client.clearAllData(
            leavingReplicaGroup: leaveGroup || !yes && group != nil)
        let farewell = commit.leftReplicaGroup ? "; left the replica group" + (group?.farewell ?? "") : ""
        try session.output.say(commit.sentence + farewell, json: commit.jsonWithGroup)
    }

    /// - Returns: `nil` if there is no replica group. Also `nil` if this user may not see the group; the daemon will
    ///   then refuse to clear the store.
    private func group(_ client: StoreClient) async throws -> ReplicaStatus? {
        do throws(StoreClientError) {
            return try await client.replicaStatus()
        } catch {
            guard error.reason == .replicaGroupAbsent || error.code == .permissionDenied else { throw error }
            return nil
        }
    }
}
