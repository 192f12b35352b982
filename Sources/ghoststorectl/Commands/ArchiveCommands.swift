import ArgumentParser
import Interchange
import StoreClient

struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "What the store holds, but attachments, as one portable file, plain or sealed.",
        discussion: """
            Unlike a backup, an archive is bound to no key of the store: another store takes it, on another machine, \
            and one that holds something already merges it. A recipient's key pair is made as `blobs --help` says.
            """,
        subcommands: [ArchiveCreateCommand.self, ArchiveRestoreCommand.self, ArchiveVerifyCommand.self])
}

struct ArchiveCreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Write an archive of the whole store.",
        discussion: """
            It shows the store as it was at one moment, files of the vault included and attachments left out. The file \
            appears whole or not at all. Unless it is sealed, it holds plain text.
            """)

    @Argument(help: "The file; '-' is standard output.", completion: .file())
    var file: String

    @OptionGroup var sealing: ArchiveSealOptions

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let output = try OutputFile(file, replacesExisting: force)
        let archive = try await session.client.beginArchive(seal: try sealing.read())
        let writer = DescriptorWriter(descriptor: output.descriptor)
        let bytes = try await ArchiveTransfer(session).download(archive, to: writer)
        try output.commit()
        let leftOut = try await session.client.attachmentUsage().contentCount
        if leftOut > 0 {
            Diagnostics.write("left out: \(Quantity.count(leftOut, "content")) of attachments")
        }
        try session.output(beside: output).say(
            "the store at revision \(archive.revision), \(Quantity.bytes(bytes)), in \(file)",
            json: [
                "file": file, "bytes": bytes, "revision": archive.revision,
                "created_at_microseconds": archive.createdAt.microseconds, "is_sealed": sealing.isGiven,
            ])
    }
}

struct ArchiveRestoreCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put what an archive holds into the store.",
        discussion: """
            The store must be empty, or --merge be given: then what is not there is added, and of what is there the \
            newer stays; nothing is removed. A file is read and checked as a whole before anything is changed; what \
            comes from standard input cannot be. A restore that was cut off is repeated with --merge.
            """)

    @Argument(help: "The file; '-' is standard input.", completion: .file())
    var file: String

    @Flag(help: "Merge it into what the store holds.")
    var merge = false

    @Flag(help: "Read and check everything, tell what it would come to, change nothing.")
    var dryRun = false

    @OptionGroup var secret: UnsealOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let transfer = ArchiveTransfer(session)
        let opener = SealOpener(.archive, secret)
        let aim: ArchiveAim = merge ? .merge : .fillEmpty
        var checked: ArchiveRestoreReport?
        if dryRun || file != "-" {
            checked = try await transfer.upload(file, aim, isDryRun: true, opener, label: "checking")
        }
        if dryRun, let checked {
            try session.output.show(checked)
            return
        }
        let report = try await Interruption.told(
            "a part of the archive may be in the store; restoring it again with --merge goes on"
        ) {
            try await transfer.upload(file, aim, isDryRun: false, opener, label: "restoring")
        }
        if let checked, checked.contentID != report.contentID {
            throw CommandFailure(.damaged, "\(file) was changed while it was read; hint: restore it again with --merge")
        }
        try session.output.show(report)
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
