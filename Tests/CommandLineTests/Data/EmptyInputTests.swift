import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// If a program before ghoststorectl in a pipe fails, standard input is empty.
@Suite struct EmptyInputTests {
    /// Creates one of everything that standard input could replace.
    ///
    /// - Parameter number: becomes a part of the names.
    private func fill(_ control: Control, _ number: Int = 0) async throws {
        try await control.text("files", "put", "-", "document/f\(number)", input: "content")
        try await control.text("messages", "save", "alice\(number)", "--id", "m\(number)", "content")
        try await control.text("drafts", "save", "alice\(number)", "content")
        try await control.text(
            "contacts", "save", "bob\(number)", "--notes", "content", "--avatar-file", "-", input: "avatar")
        try await control.text("conversations", "update", "alice\(number)", "--avatar-file", "-", input: "avatar")
        try await control.text("contacts", "save", "bob\(number)", "--metadata", "-", input: "data")
        try await control.text("conversations", "update", "alice\(number)", "--metadata", "-", input: "data")
        try await control.text("scenes", "set", "main\(number)", "k", "content", "u", "https://example.org")
    }

    /// Returns the current content of everything that `fill` created.
    private func content(_ control: Control, _ number: Int = 0) async throws -> [String] {
        var parts: [String] = []
        for command in [
            "files cat document/f#", "messages get m# --json", "drafts show alice# --json",
            "contacts get bob# --avatar --json", "conversations get alice# --avatar --json", "scenes get main# --json",
        ] {
            parts.append(try await control.run(words(command, number)).output)
        }
        return parts
    }

    /// Splits a command into words, with the number in place of each `#`.
    private func words(_ command: String, _ number: Int) -> [String] {
        command.replacing("#", with: "\(number)").split(separator: " ").map(String.init)
    }

    static let commands = [
        "files put - document/f#", "messages save alice# --id m# -", "messages save alice# x --id m# --attach -",
        "messages save alice# x --id m# --attach -:image/png", "messages edit m# -", "drafts save alice# -",
        "messages save alice# x --id m# --metadata -",
        "messages save alice# x --id m# --attach /etc/passwd --attach-metadata -", "contacts save bob# --metadata -",
        "conversations update alice# --metadata -",
        "contacts save bob# --notes -", "contacts save bob# --avatar-file -",
        "conversations update alice# --avatar-file -",
        "scenes set main# k -", "scenes set main# k - --type data", "scenes set main# u - --type url",
    ]

    @Test func `an empty standard input replaces nothing without --allow-empty`() async throws {
        try await withControl { control, _ in
            for (number, command) in Self.commands.enumerated() {
                try await fill(control, number)
                let before = try await content(control, number)
                for input in [try OpenFile(), try OpenFile("/dev/null", O_RDONLY)] {
                    let refused = try await control.run(words(command, number), reading: input)
                    #expect(refused.exitCode == 65, "\(command): \(refused.errorOutput)")
                    #expect(refused.errorOutput.contains("standard input is empty") && refused.output.isEmpty)
                    #expect(refused.errorOutput.contains("; hint: run that program alone"), "\(refused.errorOutput)")
                    #expect(try await content(control, number) == before, "\(command)")
                }
                let null = try OpenFile("/dev/null", O_RDONLY)
                let meant = try await control.run(words(command, number) + ["--allow-empty"], reading: null)
                #expect(meant.exitCode == 0, "\(command): \(meant.errorOutput)")
                #expect(try await content(control, number) != before, "\(command)")
            }
        }
    }

    /// Runs the built program with the name of a pipe instead of `-`, after a program that fails.
    @Test func `an empty pipe replaces nothing, even if it is named by a path`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            let before = try await content(control)
            for command in [
                "files put <(false) document/f0", "contacts save bob0 --avatar-file <(false)",
                "messages save alice0 x --id m0 --attach <(false)",
            ] {
                let refused = try await control.shell("\"$CTL\" \(command)")
                #expect(refused.exitCode == 65 && refused.errorOutput.contains("is empty"), "\(refused.errorOutput)")
            }
            let refused = try await control.shell("false | \"$CTL\" files put - document/f0")
            #expect(refused.exitCode == 65 && refused.errorOutput.contains("is empty"), "\(refused.errorOutput)")
            #expect(try await content(control) == before)
        }
    }

    @Test func `an empty input is accepted if it replaces nothing, and an empty file always`() async throws {
        try await withControl { control, daemon in
            try await fill(control)
            let empty = try daemon.directory.write([], to: "empty")
            for command in [
                "files put - document/new", "files put - document/new", "messages save alice0 - --id m2",
                "messages save alice0 -", "files put \(empty) document/f0", "files put /dev/null document/f0",
            ] {
                let null = try OpenFile("/dev/null", O_RDONLY)
                let result = try await control.run(words(command, 0), reading: null)
                #expect(result.exitCode == 0, "\(command): \(result.errorOutput)")
            }
            #expect(try await control.text("files", "cat", "document/f0").isEmpty)
        }
    }

    @Test func `nothing is imported from an empty pipe, because the file of an empty log is not empty`() async throws {
        try await withControl { control, _ in
            let result = try await control.run(["logs", "import", "copy", "-"], reading: try OpenFile())
            #expect(result.exitCode == 65 && result.errorOutput.contains("standard input is empty"))
            #expect(try await control.run("logs", "info", "copy").exitCode == 2)
        }
    }
}
