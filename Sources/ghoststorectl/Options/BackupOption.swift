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
        let uploaded = try await BackupTransfer(client: session.client, global: session.global).upload(file)
        do {
            let result = try await body(uploaded)
            try await session.client.deleteBackup(uploaded)
            return result
        } catch {
            try? await session.client.deleteBackup(uploaded)
            throw error
        }
    }
}
