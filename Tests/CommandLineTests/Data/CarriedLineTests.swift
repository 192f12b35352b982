import CarriedColumns
import GhostTestSupport
import TestBasics
import Testing

/// Every column of what applications have put into a store survives JSON Lines, or is listed in `LocalColumns`.
@Suite(.timeLimit(.minutes(3))) struct CarriedLineTests {
    /// Carries the sample from one daemon to another, and compares their stores once both have ended.
    private func expectCarried(
        by path: CarryingPath, _ carry: (_ from: Control, _ to: Control, TemporaryDirectory) async throws -> Void
    ) async throws {
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
        #expect(try columns(destination, path, .destination).differences(from: given) == [])
    }

    private func columns(_ daemon: TestDaemon, _ path: CarryingPath, _ end: CarryingEnd) throws -> StoreColumns {
        try StoreColumns(
            stateDirectory: daemon.stateDirectory, secret: SampleStore.secret(daemon.keyFilePath), on: path, at: end)
    }

    @Test func `an archive as JSON Lines brings every column`() async throws {
        try await expectCarried(by: .archiveLines) { from, to, directory in
            try await from.text("archive", "create", "--json-lines", directory.file("lines"))
            try await to.text("archive", "restore", "--json-lines", directory.file("lines"))
        }
    }

    @Test func `an export of messages brings every column of contacts, conversations and messages`() async throws {
        try await expectCarried(by: .messageLines) { from, to, directory in
            try await from.text("messages", "export", "--all", "--output", directory.file("lines"))
            try await to.text("messages", "import", directory.file("lines"))
        }
    }
}
