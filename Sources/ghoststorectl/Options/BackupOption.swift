import ArgumentParser
import StoreClient

/// A backup the daemon keeps, or one in a file.
struct BackupOption: ParsableArguments {
    @Argument(help: "Name of a backup the daemon keeps.")
    var name: String?

    @Option(
        help: ArgumentHelp("A backup in a file instead, handed to the daemon first.", valueName: "file"),
        completion: .file())
    var file: String?

    func validate() throws {
        guard (name == nil) != (file == nil) else {
            throw ValidationError("name a backup or give --file, one of the two")
        }
    }

    /// Does something with it; an uploaded copy is deleted afterwards, whatever came of it.
    func use<Result: Sendable>(
        _ session: Session, _ body: (String) async throws -> Result
    ) async throws -> Result {
        guard let file else {
            return try await body(name ?? "")
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
