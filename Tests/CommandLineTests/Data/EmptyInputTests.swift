import GhostTestSupport
import TestBasics
import Testing

/// A program that fails before ghoststorectl in a pipe leaves an empty standard input.
@Suite struct EmptyInputTests {
    /// Makes one of each thing that standard input may replace.
    private func fill(_ control: Control) async throws {
        try await control.text("files", "put", "-", "document/f", input: "content")
        try await control.text("messages", "save", "alice", "--id", "m1", "content")
        try await control.text("drafts", "save", "alice", "content")
        try await control.text("contacts", "save", "bob", "--notes", "content", "--avatar-file", "-", input: "avatar")
        try await control.text("conversations", "update", "alice", "--avatar-file", "-", input: "avatar")
        try await control.text("scenes", "set", "main", "k", "content", "u", "https://example.org")
    }

    /// All that `fill` made, for programs.
    private func content(_ control: Control) async throws -> String {
        let commands = [
            "files cat document/f", "messages get m1 --json", "drafts show alice --json",
            "contacts get bob --avatar --json", "conversations get alice --avatar --json", "scenes get main --json",
        ]
        return try await control.shell(commands.map { "\"$CTL\" \($0)" }.joined(separator: "; ")).output
    }

    static let commands = [
        "files put - document/f", "messages save alice --id m1 -", "messages save alice x --id m1 --attach -",
        "messages save alice x --id m1 --attach -:image/png", "messages edit m1 -", "drafts save alice -",
        "contacts save bob --notes -", "contacts save bob --avatar-file -",
        "conversations update alice --avatar-file -",
        "scenes set main k -", "scenes set main k - --type data", "scenes set main u - --type url",
    ]

    @Test(arguments: commands)
    func `an empty standard input replaces nothing unless that is allowed`(_ command: String) async throws {
        try await withControl { control, _ in
            try await fill(control)
            let before = try await content(control)
            for input in ["false | \"$CTL\" \(command)", "\"$CTL\" \(command) < /dev/null"] {
                let refused = try await control.shell(input)
                #expect(refused.exitCode == 65, "\(input): \(refused.errorOutput)")
                #expect(refused.errorOutput.contains("standard input is empty") && refused.output.isEmpty)
                #expect(refused.errorOutput.contains("; hint: run that program alone"), "\(refused.errorOutput)")
                #expect(try await content(control) == before, "\(input)")
            }
            let meant = try await control.shell("\"$CTL\" \(command) --allow-empty < /dev/null")
            #expect(meant.exitCode == 0, "\(command): \(meant.errorOutput)")
            #expect(try await content(control) != before, "\(command)")
        }
    }

    @Test func `an empty pipe under another name replaces nothing either`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            let before = try await content(control)
            for command in [
                "files put <(false) document/f", "contacts save bob --avatar-file <(false)",
                "messages save alice x --id m1 --attach <(false)",
            ] {
                let refused = try await control.shell("\"$CTL\" \(command)")
                #expect(refused.exitCode == 65 && refused.errorOutput.contains("is empty"), "\(refused.errorOutput)")
            }
            #expect(try await content(control) == before)
        }
    }

    @Test func `where nothing is replaced an empty input is taken, and so is a file that is empty`() async throws {
        try await withControl { control, daemon in
            try await fill(control)
            let empty = try daemon.directory.write([], to: "empty")
            for command in [
                "files put - document/new < /dev/null", "files put - document/new < /dev/null",
                "messages save alice - --id m2 < /dev/null", "messages save alice - < /dev/null",
                "files put '\(empty)' document/f", "files put /dev/null document/f",
            ] {
                let result = try await control.shell("\"$CTL\" \(command)")
                #expect(result.exitCode == 0, "\(command): \(result.errorOutput)")
            }
            #expect(try await control.text("files", "cat", "document/f").isEmpty)
        }
    }

    @Test func `an empty log is no empty file, so nothing is imported from an empty pipe`() async throws {
        try await withControl { control, _ in
            let result = try await control.shell("false | \"$CTL\" logs import copy -")
            #expect(result.exitCode == 65 && result.errorOutput.contains("standard input is empty"))
            #expect(try await control.run("logs", "info", "copy").exitCode == 2)
        }
    }
}
