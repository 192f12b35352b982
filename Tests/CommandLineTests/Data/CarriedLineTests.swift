import CarriedColumns
import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Every column of the data that applications have stored survives JSON Lines, or is listed in `LocalColumns`.
@Suite(.timeLimit(.minutes(3))) struct CarriedLineTests {
    /// Moves the sample from one daemon to another, and compares their stores after both have ended.
    ///
    /// - Returns: the differences between the two stores.
    private func differences(
        by path: CarryingPath, _ carry: (_ from: Control, _ to: Control, TemporaryDirectory) async throws -> Void
    ) async throws -> [String] {
        let origin = try TestDaemon.prepare()
        try SampleStore.make(in: origin.stateDirectory, keyFile: origin.keyFilePath)
        let destination = try TestDaemon.prepare()
        do {
            try await origin.startAgain()
            try await destination.startAgain()
            try await carry(Control(origin), Control(destination), origin.directory)
            try await origin.terminate()
            try await destination.terminate()
        } catch {
            try? await origin.kill9()
            try? await destination.kill9()
            throw error
        }
        let given = try columns(origin, path, .origin)
        #expect(given.unfilled == [], "the sample does not fill them")
        return try columns(destination, path, .destination).differences(from: given)
    }

    private func columns(_ daemon: TestDaemon, _ path: CarryingPath, _ end: CarryingEnd) throws -> StoreColumns {
        try StoreColumns(
            stateDirectory: daemon.stateDirectory, secret: SampleStore.secret(daemon.keyFilePath), on: path, at: end)
    }

    /// - Parameter change: changes the lines of the archive before they are restored.
    private func differencesOfArchive(_ change: (String) -> String = { $0 }) async throws -> [String] {
        try await differences(by: .archiveLines) { from, to, directory in
            let folder = directory.file("lines")
            try await from.text("archive", "create", "--json-lines", folder)
            let file = URL(filePath: folder + "/archive.jsonl")
            try Data(change(String(decoding: Data(contentsOf: file), as: UTF8.self)).utf8).write(to: file)
            try await to.text("archive", "restore", "--json-lines", folder)
        }
    }

    @Test func `an archive as JSON Lines carries every column`() async throws {
        #expect(try await differencesOfArchive() == [])
    }

    @Test func `the comparison finds a field that is missing in the lines of an archive`() async throws {
        let found = try await differencesOfArchive { lines in
            lines.replacing(#/"notes": ?"notes", ?/#, with: "")
        }
        #expect(found == ["contacts.notes: NULL instead of 'notes' in 'alice'"])
    }

    @Test func `an export of messages carries every column of contacts, conversations and messages`() async throws {
        let found = try await differences(by: .messageLines) { from, to, directory in
            try await from.text("messages", "export", "--all", "--output", directory.file("lines"))
            try await to.text("messages", "import", directory.file("lines"))
        }
        #expect(found == [])
    }
}
