import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// How the commands of a document are run: all of them in one shell, on a daemon with a new store.
struct DocumentRun: Sendable, CustomTestStringConvertible {
    let path: String
    /// Whether they run in the root of this repository, and not in an empty folder.
    var isInRepository = false
    /// What stands in the document, and what is run in its place: prompts, places of the machine, what has no end.
    var replacements: [(shown: String, run: String)] = []
    /// Makes what the commands are shown with.
    var preparation = ""

    var testDescription: String { path }

    /// The blocks as they are run.
    func script() throws -> String {
        var text = try Document.blocks("sh", of: path).joined(separator: "\n")
        for (shown, run) in replacements {
            guard text.contains(shown) else { throw TestSupportError("\(path) does not show '\(shown)' any more") }
            text = text.replacing(shown, with: run)
        }
        return text
    }

    /// The daemon's store is made with a passphrase, which is in the file $PASSPHRASE.
    private static let beginning = """
        set -euo pipefail
        shopt -s extglob
        trap 'echo "failed: $BASH_COMMAND" >&2' ERR
        trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
        mkdir -p "$HOME" "$ROOT"
        ghoststorectl init --low-cost --passphrase-file "$PASSPHRASE" > init.out

        """

    func run(on daemon: TestDaemon) async throws -> ProgramResult {
        let place = daemon.directory
        let programs = String(try BuiltPrograms.path("ghoststored").dropLast("/ghoststored".count))
        let passphrase = try place.write("correct horse battery staple", to: "passphrase")
        try FileManager.default.createDirectory(atPath: place.file("work"), withIntermediateDirectories: false)
        let folder = isInRepository ? BuiltPrograms.packageDirectory : place.file("work")
        let lines = [
            "cd '\(place.path)'", Self.beginning, HostCommands.functions, "cd '\(place.file("work"))'", preparation,
            "cd '\(folder)'", try script(),
        ]
        return try await Program.run(
            "/bin/bash", [try place.write(lines.joined(separator: "\n"), to: "commands.sh")],
            environment: [
                "REPO": BuiltPrograms.packageDirectory, "BIN": programs, "PATH": "\(programs):/usr/bin:/bin",
                "HOME": place.file("home"), "ROOT": place.file("root"), "PASSPHRASE": passphrase, "USER": "alice",
                "GHOSTSTORE_SOCKET": daemon.socketPath, "PYTHONDONTWRITEBYTECODE": "1",
            ], within: .seconds(120))
    }
}
