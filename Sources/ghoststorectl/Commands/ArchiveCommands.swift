import ArgumentParser
import Interchange
import StoreClient

struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Export the content of the store to a portable file, and read it back.",
        discussion: """
            An archive is one file, plain or sealed, or a folder of JSON Lines. Unlike a backup, an archive can be \
            read without the keys of the store. A store on any machine can restore an archive, or merge the archive \
            with its own content. `blobs --help` shows how to create the key pair of a recipient.
            """,
        subcommands: [
            ArchiveCreateCommand.self, ArchiveRestoreCommand.self, ArchiveVerifyCommand.self, ArchiveShowCommand.self,
        ])
}

struct ArchiveCreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Write an archive of the store, or of its changes.",
        discussion: """
            The archive contains the store at one moment, with the files of the vault and the attachments. The file \
            appears only when it is complete. Unless you seal it, it contains plain text.

            With --json-lines the archive is a folder: archive.jsonl has one record per line, in the JSON form of \
            protobuf, and contents/ has the bytes of files and attachments.

            With --since the archive contains only the changes after a revision, deletions included. Restore the full \
            archive first. Then restore the later archives in their order, each with --merge.
            """)

    @Argument(help: "The file to create; '-' is standard output.", completion: .file())
    var file: String

    @Flag(help: "Create a folder of JSON Lines instead of a file. The folder must be new or empty.")
    var jsonLines = false

    @OptionGroup var sealing: ArchiveSealOptions

    @Option(
        help: ArgumentHelp(
            "Include only changes after this revision (printed by the previous 'archive create').",
            valueName: "revision"))
    var since: UInt64 = 0

    @OptionGroup var history: HistoryOptions

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func check() throws(CommandFailure) {
        guard jsonLines else { return }
        guard !sealing.isGiven else {
            throw CommandFailure(.usage, "JSON Lines cannot be sealed; hint: leave out passphrase and recipients")
        }
        guard !force, file != "-" else {
            throw CommandFailure(
                .usage, "JSON Lines are written to a folder, which is never replaced; hint: name a new or empty one")
        }
    }

    func run(_ session: Session) async throws {
        let transfer = ArchiveTransfer(session)
        guard !jsonLines else {
            let archive = try await history.client(session).beginArchive(sinceRevision: since)
            let bytes = try await transfer.download(archive, toFolder: file)
            await session.warnOfDamage(in: file)
            return try reportResult(archive, bytes, session.output)
        }
        let output = try OutputFile(file, replacesExisting: force)
        let archive = try await history.client(session).beginArchive(
            seal: try sealing.read(), sinceRevision: since)
        let writer = DescriptorWriter(descriptor: output.descriptor)
        let bytes = try await transfer.download(archive, to: writer)
        try output.commit()
        await session.warnOfDamage(in: file)
        try reportResult(archive, bytes, session.output(beside: output))
    }

    private static let sealingHint = "; hint: --recipient or --passphrase seals it"

    private func reportResult(_ archive: ArchiveExport, _ bytes: UInt64, _ output: Output) throws {
        if case .people = output.form, !sealing.isGiven {
            Diagnostics.write(
                "the archive is plain text; only the owner of the file may read it"
                    + (jsonLines ? "" : Self.sealingHint))
        }
        try output.say(
            "wrote the store at revision \(archive.revision) to \(file): \(Quantity.bytes(bytes))",
            json: [
                "file": file, "bytes": bytes, "revision": archive.revision, "since_revision": since,
                "created_at_microseconds": archive.createdAt.microseconds, "is_sealed": sealing.isGiven,
            ])
    }
}

struct ArchiveRestoreCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Read an archive into the store.",
        discussion: """
            The store must be empty, unless --merge is given. With --merge, everything that the store lacks is added. \
            If the archive and the store have different versions of the same message, contact or other item, the newer \
            version is kept. An archive that was created with --since also deletes the items that were deleted in the \
            store from which the archive comes. A full archive deletes nothing.

            A file is read and checked as a whole before anything is changed. Standard input cannot be checked first. \
            If a restore is interrupted, repeat it with --merge. An error in a folder of JSON Lines names the line.
            """)

    @Argument(help: "The file; '-' is standard input.", completion: .file())
    var file: String

    @Flag(help: "Read a folder of JSON Lines.")
    var jsonLines = false

    @Flag(help: "Merge the archive with the content of the store.")
    var merge = false

    @Flag(help: "Read and check everything, report what a restore would do, and change nothing.")
    var dryRun = false

    @OptionGroup var secret: UnsealOptions
    @OptionGroup var global: GlobalOptions

    func check() throws(CommandFailure) {
        guard jsonLines else { return }
        guard !secret.isGiven else {
            throw CommandFailure(.usage, "JSON Lines are never sealed; hint: give no option for a secret")
        }
        guard file != "-" else {
            throw CommandFailure(.usage, "JSON Lines are read from a folder; hint: name the folder")
        }
    }

    func run(_ session: Session) async throws {
        let transfer = ArchiveTransfer(session)
        let opener = SealOpener(.archive, secret)
        var checked: ArchiveRestoreReport?
        if dryRun || file != "-" {
            checked = try await send(transfer, opener, isDryRun: true, label: "checking")
        }
        if dryRun, let checked {
            try session.output.say("\(file) is complete; nothing was changed", checked)
            return
        }
        let report = try await Interruption.withNotice(
            "a part of the archive may be in the store; restore the archive again with --merge to continue"
        ) {
            try await send(transfer, opener, isDryRun: false, label: "restoring")
        }
        if let checked, checked.contentID != report.contentID {
            throw CommandFailure(
                .damaged, "\(file) was changed while it was read; hint: restore the archive again with --merge")
        }
        try session.output.say("restored \(file)", report)
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
        commandName: "verify", abstract: "Read an archive, and show what it contains and whether it is complete.",
        discussion: """
            The daemon opens and checks every record, the counts and the digest. It does not use the store, which may \
            be closed.
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
        commandName: "show", abstract: "Show the kind, the times and the counts of an archive, without a daemon.",
        discussion: """
            A plain archive or a folder of JSON Lines is read as a whole; 'archive verify' also checks that no byte \
            has changed. Only the header of a sealed archive is shown.
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
