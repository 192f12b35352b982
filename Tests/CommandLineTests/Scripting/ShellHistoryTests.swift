import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// The history of a shell: which lines are saved, and in which file.
@Suite struct ShellHistoryTests {
    @Test func `the history is kept when it is asked for, for its owner alone`() async throws {
        try await withControl { control, _ in
            let home = try TemporaryDirectory()
            let path = home.file("deep/state/ghoststorectl/history")
            func typing(
                _ options: [String], _ lines: [String], isRefused: Bool = false
            ) async throws -> TerminalProgram {
                let shell = try control.shellOnTerminal(
                    options, environment: ["XDG_STATE_HOME": home.file("deep/state")])
                for line in lines {
                    try await shell.line(line + "\r")
                }
                if !isRefused {
                    try await shell.line("exit\r")
                }
                _ = try await shell.wait()
                return shell
            }
            _ = try await typing([], ["stats"])
            #expect(access(path, F_OK) != 0)
            let secrets = ["correct horse battery", "rpc '{\"ping\": {}}'", " contacts list"]
            // A line with an error can be recalled for correction. It may contain a passphrase in the wrong position,
            // so it stays in memory only.
            let slips = ["conversations lst", "unlock hunter2", "keys add --passphrase hunter2", "exit hunter2"]
            let typed = try await typing(["--keep-history"], ["stats"] + secrets + ["stats"] + slips)
            #expect(typed.output.contains("hint: did you mean 'list'?"), "\(typed.output)")
            let kept = try #require(FileManager.default.contents(atPath: path))
            #expect(String(decoding: kept, as: UTF8.self) == "stats\nexit\n")
            var facts = stat()
            try #require(stat(path, &facts) == 0)
            #expect(facts.st_mode & 0o777 == 0o600)
            let again = try control.shellOnTerminal(
                ["--keep-history"], environment: ["XDG_STATE_HOME": home.file("deep/state")])
            try await again.line("\u{1B}[A\u{1B}[A", until: "> stats")
            try await again.line("\u{15}exit\r")
            #expect(try await again.wait() == .exited(0))
            chmod(path, 0o644)
            let open = try await typing(["--keep-history"], [], isRefused: true)
            #expect(open.output.contains("other users may read the history"), "\(open.output)")
            unlink(path)
            try #require(symlink("/dev/null", path) == 0)
            let linked = try await typing(["--keep-history"], [], isRefused: true)
            #expect(linked.output.contains("could not be opened"), "\(linked.output)")
        }
    }

    @Test func `of a history that is too long its end is taken, and said so`() async throws {
        try await withControl { control, _ in
            let home = try TemporaryDirectory()
            let folder = home.file("ghoststorectl")
            try #require(mkdir(folder, 0o700) == 0)
            let old = "contacts save \(String(repeating: "x", count: 1_000))\n"
            let lines = String(repeating: old, count: 5_000) + "stats\n"
            try #require(
                FileManager.default.createFile(
                    atPath: "\(folder)/history", contents: Data(lines.utf8), attributes: [.posixPermissions: 0o600]))
            let shell = try control.shellOnTerminal(["--keep-history"], environment: ["XDG_STATE_HOME": home.path])
            try await shell.line("\u{10}", until: "> stats")
            try await shell.line("\r", until: "unread")
            try await shell.line("exit\r")
            #expect(try await shell.wait() == .exited(0))
            #expect(
                shell.output.contains(
                    """
                    longer than 4.0 MiB: the shell keeps only its end
                    """), "\(shell.output.prefix(500))")
            let kept = try #require(FileManager.default.contents(atPath: "\(folder)/history"))
            #expect(kept.count < 2 << 20)
            #expect(String(decoding: kept, as: UTF8.self).hasSuffix("\nstats\nexit\n"))
        }
    }

    /// A secret as the value of an option would be in the shell's history and in the output of `ps`.
    @Test func `no option takes a secret itself`() async throws {
        for (path, command) in try await CommandTree.whole() {
            for argument in command.arguments ?? [] where argument.kind != .flag {
                let name = argument.title.lowercased()
                let isSecret = ["passphrase", "secret", "password", "recovery-code", "key-file"].contains {
                    name.contains($0)
                }
                guard isSecret else { continue }
                #expect(
                    name.hasSuffix("-file") || name.hasSuffix("-fd") || name.hasSuffix("-output"),
                    "\(path) \(argument.title)")
            }
        }
    }
}
