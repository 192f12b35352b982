import ArgumentParser

struct BackupDownloadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Fetch a backup into a file.")

    @Argument(help: "Name of the backup.")
    var name: String

    @Option(name: .shortAndLong, help: "The file.", completion: .file())
    var output: String

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let transfer = BackupTransfer(client: session.client, global: global)
        try await Interruption.deferred("stopping") {
            try await transfer.download(name, to: output, replacesExisting: force)
        }
        var object = JSONObject()
        object.add("name", name)
        object.add("file", output)
        try session.output.say("backup \(name) is in \(output)", json: object)
    }
}

struct BackupUploadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Hand a backup file to the daemon.")

    @Argument(help: "The file.", completion: .file())
    var file: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let name = try await Interruption.deferred("deleting what the daemon has of it") {
            try await BackupTransfer(client: session.client, global: global).upload(file)
        }
        var object = JSONObject()
        object.add("name", name)
        try session.output.say("the daemon keeps it as \(name)", json: object)
    }
}
