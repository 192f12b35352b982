import ArgumentParser
import Glibc
import StoreClient

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Encrypted copies of the store with its keyring.",
        discussion: """
            The daemon keeps backups under its state directory. A backup is opened with the secrets the store had \
            when it was made, and with nothing else.
            """,
        subcommands: [
            BackupCreateCommand.self, BackupListCommand.self, BackupDownloadCommand.self, BackupUploadCommand.self,
            BackupVerifyCommand.self, BackupRestoreCommand.self, BackupDeleteCommand.self, BackupPruneCommand.self,
        ])
}

struct BackupListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the backups the daemon keeps.")

    @OptionGroup var columns: ColumnOptions<Backup>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.backups(), columns.names, emptyText: "no backups")
    }
}

struct BackupDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a backup the daemon keeps.")

    @Argument(help: "Name of the backup.", completion: .live(.backups))
    var name: String

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [name] }

    func run(_ session: Session) async throws {
        try await session.client.deleteBackup(name)
        try session.output.say("deleted backup \(name)", json: ["deleted": name])
    }
}

struct BackupDownloadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Fetch a backup into a file.")

    @Argument(help: "Name of the backup.", completion: .live(.backups))
    var name: String

    @Option(name: .shortAndLong, help: "The file; '-' is standard output.", completion: .file())
    var output: String

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [name] }

    func run(_ session: Session) async throws {
        try await Interruption.deferred("stopping") {
            try await download(session)
        }
    }

    private func download(_ session: Session) async throws {
        let file = try OutputFile(output, replacesExisting: force)
        try await BackupTransfer(client: session.client, global: global).download(name, into: file)
        try file.commit()
        try session.output(beside: file).say("backup \(name) is in \(output)", json: ["name": name, "file": output])
    }
}

struct BackupUploadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Hand a backup file to the daemon.")

    @Argument(help: "The file; '-' is one that standard input is redirected from.", completion: .file())
    var file: String

    @OptionGroup var global: GlobalOptions

    func hint(for reason: StoreClientError.Reason) -> String? {
        reason == .invalidArgument ? "\(file) may be no backup: 'backup create' makes them" : nil
    }

    func run(_ session: Session) async throws {
        try await Interruption.deferred("deleting what the daemon has of it") {
            let name = try await BackupTransfer(client: session.client, global: global).upload(file)
            // Said before a signal that came too late ends the program.
            try session.output.say("the daemon keeps it as \(name)", json: ["name": name])
        }
    }
}

struct BackupVerifyCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Open a backup with its own keyring and read every page and row.",
        discussion: """
            Exits 4 when something is wrong with it. While the store is open under the same master key no secret is \
            needed; otherwise give one, or --ask for the passphrase.
            """)

    @OptionGroup var backup: BackupOption
    @OptionGroup var secret: SecretOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Ask for the backup's passphrase.")
    var ask = false

    var subjects: [String] { [backup.name].compactMap { $0 } }

    func check() throws(CommandFailure) {
        try backup.check()
    }

    func hint(for reason: StoreClientError.Reason) -> String? {
        backup.hint(for: reason)
    }

    func run(_ session: Session) async throws {
        // Asked for while nothing is under way that an interrupted prompt would leave behind.
        var secret = try secret.readOptional(asks: ask)
        let report = try await backup.use(session) { name in
            try await session.withProgress("verifying", "pages") { progress in
                try await session.client.verifyBackup(name, secret: secret.take(), progress: progress)
            }
        }
        try session.conclude(report, on: "the backup")
    }
}

struct BackupRestoreCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Verify a backup and put it in the store's place.",
        discussion: """
            A store that is there is replaced only with --replace, and kept beside it until the next restore. While \
            the store is open under the same master key no secret is needed; otherwise give one, or --ask for the \
            passphrase.
            """)

    @OptionGroup var backup: BackupOption
    @OptionGroup var secret: SecretOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Ask for the backup's passphrase.")
    var ask = false

    @Flag(help: "Replace the store that is there.")
    var replace = false

    var subjects: [String] { [backup.name].compactMap { $0 } }

    func check() throws(CommandFailure) {
        try backup.check()
    }

    func hint(for reason: StoreClientError.Reason) -> String? {
        switch reason {
        case .storeExists: "--replace restores the backup, and keeps this store beside it until the next restore"
        case .backupNotFound, .invalidArgument, .backupKeyMissing: backup.hint(for: reason)
        default: nil
        }
    }

    func run(_ session: Session) async throws {
        var secret = try secret.readOptional(asks: ask)
        let statistics = try await backup.use(session) { name in
            try await session.withProgress("restoring", "pages") { progress in
                try await session.client.restoreBackup(
                    name, secret: secret.take(), replaceExisting: replace, progress: progress)
            }
        }
        try session.output.say("\(backup.words) is restored; the store is open and holds:", statistics)
    }
}

/// A backup the daemon keeps, or one in a file.
struct BackupOption: ParsableArguments {
    @Argument(help: "Name of a backup the daemon keeps.", completion: .live(.backups))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "A backup in a file instead, handed to the daemon first; '-' as for 'backup upload'.", valueName: "file"),
        completion: .file())
    var file: String?

    /// The backup in the words of messages.
    var words: String { name.map { "the backup \($0)" } ?? "the backup of \(file ?? "")" }

    /// Returns what to do if the daemon has no backup of this name, which may be the name of a file, or cannot open it.
    func hint(for reason: StoreClientError.Reason) -> String? {
        if reason == .backupKeyMissing {
            return "--key-file, --passphrase-file and --recovery-code-file give one; --ask asks for the passphrase"
        }
        guard let name, [.backupNotFound, .invalidArgument].contains(reason) else { return nil }
        guard access(name, F_OK) != 0 else { return "a file has this name: use --file \(name)" }
        return reason == .backupNotFound ? "ghoststorectl backup list" : nil
    }

    func check() throws(CommandFailure) {
        guard (name == nil) != (file == nil) else {
            throw CommandFailure(.usage, "one backup is wanted; hint: name a backup or give --file")
        }
    }

    /// Does something with it; an uploaded copy is deleted afterwards, whatever came of it.
    func use<Result: Sendable>(
        _ session: Session, _ body: (String) async throws -> Result
    ) async throws -> Result {
        guard let file else {
            return try await Interruption.told("the daemon goes on with it to the end") { try await body(name ?? "") }
        }
        return try await Interruption.deferred("waiting for the daemon, to delete what it was sent") {
            let client = session.client
            let uploaded = try await BackupTransfer(client: client, global: session.global).upload(file)
            let result = try await client.deletingUnlessFinished(uploaded) { try await body(uploaded) }
            try await client.deleteBackup(uploaded)
            return result
        }
    }
}
