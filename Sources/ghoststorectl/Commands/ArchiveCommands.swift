import ArgumentParser
import Interchange
import StoreClient

struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "What the store holds as one portable file, plain or sealed, or as JSON Lines.",
        discussion: """
            Unlike a backup, an archive is bound to no key of the store: another store takes it, on another machine, \
            and one that holds something already merges it. A recipient's key pair is made as `blobs --help` says.
            """,
        subcommands: [
            ArchiveCreateCommand.self, ArchiveRestoreCommand.self, ArchiveVerifyCommand.self, ArchiveShowCommand.self,
        ])
}

struct ArchiveCreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Write an archive of the whole store.",
        discussion: """
            It shows the store as it was at one moment, files of the vault and attachments included. The file appears \
            whole or not at all. Unless it is sealed, it holds plain text. As JSON Lines it is a folder with \
            archive.jsonl, an object a line, and the bytes of files and attachments in contents/.

            With --since it holds what was made, changed or removed after that revision, and is restored with --merge \
            into a store that has what was there before: the whole archive first, then one after the other.
            """)

    @Argument(help: "The file; '-' is standard output.", completion: .file())
    var file: String

    @Flag(help: "Make a folder of JSON Lines, a new or an empty one, instead of a file.")
    var jsonLines = false

    @OptionGroup var sealing: ArchiveSealOptions

    @Option(
        help: ArgumentHelp(
            "Only changes after this revision, which the previous 'archive create' printed.", valueName: "revision"))
    var since: UInt64 = 0

    @OptionGroup var history: HistoryOptions

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func check() throws(CommandFailure) {
        guard jsonLines else { return }
        guard !sealing.isGiven else {
            throw CommandFailure(.usage, "JSON Lines are not sealed; hint: leave the passphrase or recipient out")
        }
        guard !force, file != "-" else {
            throw CommandFailure(.usage, "JSON Lines go into a folder that is new or empty; hint: name one")
        }
    }

    func run(_ session: Session) async throws {
        let transfer = ArchiveTransfer(session)
        guard !jsonLines else {
            let archive = try await history.client(session).beginArchive(sinceRevision: since)
            let bytes = try await transfer.download(archive, toFolder: file)
            await session.warnOfDamage(in: file)
            return try tell(archive, bytes, session.output)
        }
        let output = try OutputFile(file, replacesExisting: force)
        let archive = try await history.client(session).beginArchive(
            seal: try sealing.read(), sinceRevision: since)
        let writer = DescriptorWriter(descriptor: output.descriptor)
        let bytes = try await transfer.download(archive, to: writer)
        try output.commit()
        await session.warnOfDamage(in: file)
        try tell(archive, bytes, session.output(beside: output))
    }

    private static let sealingHint = "; hint: --recipient or --passphrase seals it"

    private func tell(_ archive: ArchiveExport, _ bytes: UInt64, _ output: Output) throws {
        if case .people = output.form, !sealing.isGiven {
            Diagnostics.write("the archive is plain text, readable by its owner" + (jsonLines ? "" : Self.sealingHint))
        }
        try output.say(
            "the store at revision \(archive.revision), \(Quantity.bytes(bytes)), in \(file)",
            json: [
                "file": file, "bytes": bytes, "revision": archive.revision, "since_revision": since,
                "created_at_microseconds": archive.createdAt.microseconds, "is_sealed": sealing.isGiven,
            ])
    }
}

struct ArchiveRestoreCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put what an archive holds into the store.",
        discussion: """
            The store must be empty, or --merge be given: then what is not there is added, and of what is there the \
            newer stays; only an archive of changes removes what it tells was removed. A file is read and checked as a \
            whole before anything is changed; what comes from standard input cannot be. A restore that was cut off is \
            repeated with --merge. Of a folder of JSON Lines, what is wrong is told with its line.
            """)

    @Argument(help: "The file; '-' is standard input.", completion: .file())
    var file: String

    @Flag(help: "It is a folder of JSON Lines.")
    var jsonLines = false

    @Flag(help: "Merge it into what the store holds.")
    var merge = false

    @Flag(help: "Read and check everything, tell what it would come to, change nothing.")
    var dryRun = false

    @OptionGroup var secret: UnsealOptions
    @OptionGroup var global: GlobalOptions

    func check() throws(CommandFailure) {
        guard jsonLines else { return }
        guard !secret.isGiven else { throw CommandFailure(.usage, "JSON Lines are not sealed; hint: give no secret") }
        guard file != "-" else { throw CommandFailure(.usage, "JSON Lines are a folder; hint: name it") }
    }

    func run(_ session: Session) async throws {
        let transfer = ArchiveTransfer(session)
        let opener = SealOpener(.archive, secret)
        var checked: ArchiveRestoreReport?
        if dryRun || file != "-" {
            checked = try await send(transfer, opener, isDryRun: true, label: "checking")
        }
        if dryRun, let checked {
            try session.output.say("\(file) is whole; nothing was changed", checked)
            return
        }
        let report = try await Interruption.told(
            "a part of the archive may be in the store; restoring it again with --merge goes on"
        ) {
            try await send(transfer, opener, isDryRun: false, label: "restoring")
        }
        if let checked, checked.contentID != report.contentID {
            throw CommandFailure(.damaged, "\(file) was changed while it was read; hint: restore it again with --merge")
        }
        try session.output.say("\(file) is restored", report)
    }

    private func send(
        _ transfer: ArchiveTransfer, _ opener: SealOpener, isDryRun: Bool, label: String
    ) async throws -> ArchiveRestoreReport {
        let aim: ArchiveAim = merge ? .merge : .fillEmpty
        guard !jsonLines else { return try await transfer.upload(folder: file, aim, isDryRun: isDryRun, label: label) }
        return try await transfer.upload(file, aim, isDryRun: isDryRun, opener, label: label)
    }
}

struct ArchiveVerifyCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Read an archive back, and tell what it holds and whether it is whole.",
        discussion: """
            The daemon opens and checks every record, the counts and the digest; the store is not looked at and need \
            not be open.
            """)

    @Argument(help: "The file; '-' is standard input.", completion: .file())
    var file: String

    @OptionGroup var secret: UnsealOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let report = try await ArchiveTransfer(session).upload(
            file, .verify, isDryRun: true, SealOpener(.archive, secret), label: "verifying")
        try session.output.show(VerifiedArchive(report: report))
    }
}

struct ArchiveShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Tell what an archive is, without a daemon.",
        discussion: """
            A plain archive and a folder of JSON Lines are read here, all of them; whether its bytes are those that it \
            was made of, archive verify tells. Of a sealed one the header is told.
            """)

    @Argument(help: "The file, or a folder of JSON Lines; '-' is standard input.", completion: .file())
    var file: String

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let output = global.makeOutput()
        guard !HostFolder.isFolder(file) else { return try output.show(try ArchiveFacts(folder: file)) }
        let input = try InputFile(file)
        let first = try input.readChunk(bytes: StoreClient.archivePieceBytesMax)
        if let header = try SealedFileFormat.archive.header(ofFileBeginning: first, input.name) {
            try output.show(SealedArchiveFacts(header: header))
        } else {
            try output.show(try ArchiveFacts(first, restOf: input))
        }
    }
}
