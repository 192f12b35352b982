import ArgumentParser
import Glibc
import StoreClient

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Create, keep and restore encrypted copies of the store.",
        discussion: """
            The daemon keeps backups in its state directory. A backup opens only with the secrets that the store had \
            when the backup was made.
            """,
        subcommands: [
            BackupCreateCommand.self, BackupListCommand.self, BackupDownloadCommand.self, BackupUploadCommand.self,
            BackupVerifyCommand.self, BackupRestoreCommand.self, BackupDeleteCommand.self, BackupPruneCommand.self,
        ])
}

struct BackupListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the backups that the daemon keeps.")

    @OptionGroup var columns: ColumnOptions<Backup>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.backups(), columns.names, emptyText: "no backups")
    }
}

struct BackupDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a backup that the daemon keeps.")

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

    @Option(name: .shortAndLong, help: "The file to create; '-' is standard output.", completion: .file())
    var output: String

    @Flag(help: "Replace an existing file.")
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
        commandName: "upload", abstract: "Send a backup file to the daemon.")

    @Argument(help: "The file; '-' is standard input, if it is redirected from a file.", completion: .file())
    var file: String

    @OptionGroup var global: GlobalOptions

    func hint(for reason: StoreClientError.Reason) -> String? {
        reason == .invalidArgument ? "check that \(file) is a backup that 'backup create' made" : nil
    }

    func run(_ session: Session) async throws {
        try await Interruption.deferred("deleting the uploaded part from the daemon") {
            let name = try await BackupTransfer(client: session.client, global: global).upload(file)
            // The name is printed inside `deferred`, so that a signal that arrives now ends the program only after the
            // name is printed.
            try session.output.say("uploaded; the daemon keeps the backup as \(name)", json: ["name": name], name: name)
        }
    }
}

struct BackupVerifyCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Open a backup with its own keyring and read every page and row.",
        discussion: """
            Exits 4 if something is wrong with the backup. If the store is open and has the same master key as the \
            backup, no secret is needed. Otherwise name a secret, or use --ask to type the passphrase.
            """)

    @OptionGroup var backup: BackupOption
    @OptionGroup var secret: SecretOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Ask for the passphrase of the backup.")
    var ask = false

    var subjects: [String] { [backup.name].compactMap { $0 } }

    func check() throws(CommandFailure) {
        try backup.check()
    }

    func hint(for reason: StoreClientError.Reason) -> String? {
        backup.hint(for: reason)
    }

    func run(_ session: Session) async throws {
        // Asks for the secret before anything is created, so an interruption of the prompt leaves nothing to clean up.
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
        commandName: "restore", abstract: "Verify a backup and replace the store with it.",
        discussion: """
            An existing store is replaced only with --replace, and is kept until the next restore. If the store is \
            open and has the same master key as the backup, no secret is needed. Otherwise name a secret, or use \
            --ask to type the passphrase.
            """)

    @OptionGroup var backup: BackupOption
    @OptionGroup var secret: SecretOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Ask for the passphrase of the backup.")
    var ask = false

    @Flag(help: "Replace the existing store.")
    var replace = false

    var subjects: [String] { [backup.name].compactMap { $0 } }

    func check() throws(CommandFailure) {
        try backup.check()
    }

    func hint(for reason: StoreClientError.Reason) -> String? {
        switch reason {
        case .storeExists: "--replace restores the backup and keeps the previous store until the next restore"
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
        try session.output.say("restored \(backup.words); the store is open and contains:", statistics)
        if case .opensNoSlot? = try? await session.client.configuredKey() {
            Diagnostics.warn(
                """
                the restored store has the keys of the backup, and the daemon's configured key does not open it: \
                after its next start, the daemon cannot open the store; hint: add a slot for the configured key with \
                ghoststorectl keys add, or configure the key of the backup
                """)
        }
    }
}

/// A backup that the daemon keeps, or a backup in a file.
struct BackupOption: ParsableArguments {
    @Argument(help: "Name of a backup that the daemon keeps.", completion: .live(.backups))
    var name: String?

    @Option(
        help: ArgumentHelp(
            """
            Use a backup file instead; the command first sends the file to the daemon. '-' is standard input, if it is \
            redirected from a file.
            """, valueName: "file"),
        completion: .file())
    var file: String?

    /// The backup as words within a sentence.
    var words: String {
        guard let name else { return "the backup from " + (file == "-" ? "standard input" : file ?? "") }
        return "the backup \(name)"
    }

    /// Returns advice if the daemon has no backup of this name, or cannot open the backup. If a file of this name
    /// exists, the person probably meant the file, and the advice is to use `--file`.
    func hint(for reason: StoreClientError.Reason) -> String? {
        if reason == .backupKeyMissing {
            return "use --key-file, --passphrase-file or --recovery-code-file, or --ask to type the passphrase"
        }
        guard let name, [.backupNotFound, .invalidArgument].contains(reason) else { return nil }
        guard access(name, F_OK) != 0 else { return "a file has this name: use --file \(name)" }
        return reason == .backupNotFound ? "ghoststorectl backup list" : nil
    }

    func check() throws(CommandFailure) {
        guard (name == nil) != (file == nil) else {
            throw CommandFailure(.usage, "name a backup or give --file, and not both")
        }
    }

    /// Calls `body` with the backup. If the backup was uploaded from a file, the daemon's copy is deleted afterwards,
    /// even after a failure.
    func use<Result: Sendable>(
        _ session: Session, _ body: (String) async throws -> Result
    ) async throws -> Result {
        guard let file else {
            return try await Interruption.withNotice("the daemon continues the verification or restore until the end") {
                try await body(name ?? "")
            }
        }
        return try await Interruption.deferred("waiting for the daemon, then deleting the uploaded copy") {
            let client = session.client
            let uploaded = try await BackupTransfer(client: client, global: session.global).upload(file)
            let result = try await client.deletingUnlessFinished(uploaded) { try await body(uploaded) }
            try await client.deleteBackup(uploaded)
            return result
        }
    }
}
