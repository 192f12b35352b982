import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Describes how the commands of a document are run: all of them in one shell, against a daemon with a new store.
struct DocumentRun: Sendable, CustomTestStringConvertible {
    let path: String
    /// True if the commands run in the root of this repository instead of in an empty folder.
    var isInRepository = false
    /// Texts of the document and the text that is run instead: prompts, paths of the machine, commands that would never
    /// end.
    var replacements: [(shown: String, run: String)] = []
    /// Shell commands that run first and create the files that the document's commands use.
    var preparation = ""

    var testDescription: String { path }

    /// Returns the shell script that runs all `sh` blocks of the document, with the replacements applied.
    func script() throws -> String {
        var text = try Document.blocks("sh", of: path).joined(separator: "\n")
        for (shown, run) in replacements {
            guard text.contains(shown) else { throw TestSupportError("\(path) does not show '\(shown)' any more") }
            text = text.replacing(shown, with: run)
        }
        return text
    }

    /// The beginning of every script. It creates the daemon's store with a passphrase, which is in the file
    /// $PASSPHRASE.
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
