import GhostTestSupport
import TestBasics
import Testing

/// The formats of lists: CSV, TSV, names only, and selected columns.
@Suite struct OutputFormTests {
    /// A text for quoting tests. A combining mark forms one Character with the scalar before it, even with a quotation
    /// mark.
    private static let hostile = "\u{301}a,\"\u{301}b\"\tc\\d\r\ne"

    private func fill(_ control: Control) async throws {
        try await control.text("contacts", "save", "bob", "--display-name", "Bob")
        try await control.text("contacts", "save", "alice", "--notes", "-", input: Self.hostile)
        try await control.text("messages", "save", "alice", "--id", "m1", "--time", "@1", "one")
        try await control.text("messages", "save", "alice", "--id", "m2", "--time", "@2", "--outgoing", "two")
    }

    @Test func `CSV and TSV contain every field of the JSON, quoted and escaped`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            let list = ["contacts", "list", "--columns", "session_id,display_name,is_blocked,notes"]
            let csv = try await run(control, list + ["--format", "csv"])
            let notes = "\"\u{301}a,\"\"\u{301}b\"\"\tc\\d\r\ne\""
            #expect(csv == "session_id,display_name,is_blocked,notes\nbob,Bob,false,\nalice,,false,\(notes)\n")
            let tsv = try await run(control, list + ["--format", "tsv"])
            #expect(
                tsv == "session_id\tdisplay_name\tis_blocked\tnotes\nbob\tBob\tfalse\t\n"
                    + "alice\t\tfalse\t\u{301}a,\"\u{301}b\"\\tc\\\\d\\r\\ne\n")
            let whole = try await run(control, ["messages", "list", "alice", "--format", "csv"])
            let heading = try #require(whole.split(separator: "\n").first)
            #expect(heading.hasPrefix("id,conversation_id,text,") && whole.split(separator: "\n").count == 3)
            #expect(try await run(control, ["drafts", "list", "--format", "csv"]).split(separator: "\n").count == 1)
            let stats = try await run(control, ["stats", "--format", "tsv"])
            #expect(stats.hasPrefix("conversation_count\tmessage_count\t") && stats.contains("\n1\t2\t2\t"))
            let followed = try await run(
                control, ["watch", "--after", "0", "--count", "2", "--kind", "message", "--format", "csv"])
            let lines = followed.split(separator: "\n")
            #expect(
                lines[0] == "revision,kind,operation,id,parent_id,committed_at_microseconds,kind_name"
                    && lines.count == 3)
        }
    }

    /// `--columns` accepts exactly the fields that docs/cli.md lists for the command, and the columns of the command's
    /// table.
    @Test func `every list accepts every field as a column, and rejects other names`() async throws {
        let lists = try await CommandTree.whole().filter { _, command in
            (command.arguments ?? []).contains { $0.title == "--columns" }
        }
        #expect(lists.count > 15)
        let rows = try FieldTable().rows
        try await withControl { control, _ in
            try await fill(control)
            try await control.text("scenes", "set", "document", "key", "value")
            for (path, command) in lists {
                let name = path.joined(separator: " ")
                let hasOperand = (command.arguments ?? []).contains { $0.kind == .positional }
                let operand = path[0] == "scenes" ? ["document"] : path == ["files", "ls"] ? ["document"] : ["alice"]
                let result = try await control.run(
                    path + (hasOperand ? operand : []) + ["--columns", "no-such", "--format", "csv"])
                #expect(result.exitCode == 64 && result.output.isEmpty, "\(name): \(result.errorOutput)")
                let told = result.errorOutput.split(separator: "hint: one of ").last.map(String.init) ?? ""
                let known = Set(told.split(whereSeparator: { ", \n".contains($0) }).map(String.init))
                let rows = rows.filter { $0.commands.contains(name) && $0.required.isSubset(of: known) }
                #expect(rows.contains { $0.all == known }, "\(name): \(known.sorted())")
            }
        }
    }

    @Test func `a table accepts its own columns and all fields, and keeps the given order`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            let list = ["messages", "list", "alice", "--columns"]
            let table = try await run(control, list + ["Text, direction,is_read,timestamp_microseconds"])
            let lines = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(lines[0] == ["TEXT", "IS_READ", "TIMESTAMP_MICROSECONDS"])
            #expect(lines[1] == ["two", "→", "false", "2000000"] && lines[2] == ["one", "←*", "false", "1000000"])
            let json = try await run(control, list + ["text,id", "--json"])
            #expect(json == "{\"text\": \"two\", \"id\": \"m2\"}\n{\"text\": \"one\", \"id\": \"m1\"}\n")
            let title = try await control.run("messages", "list", "alice", "--columns", "direction", "--json")
            #expect(title.exitCode == 64 && title.errorOutput.contains("there is no column 'direction'"))
            for wrong in ["", "id,", "id,id"] {
                #expect(try await control.run("contacts", "list", "--columns", wrong).exitCode == 64)
            }
        }
    }

    @Test func `--quiet prints names that commands accept, and no report`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            #expect(try await run(control, ["contacts", "list", "-q"]) == "bob\nalice\n")
            #expect(try await run(control, ["--quiet", "messages", "list", "alice"]) == "m2\nm1\n")
            #expect(try await run(control, ["drafts", "list", "--quiet"]).isEmpty)
            #expect(try await run(control, ["messages", "save", "alice", "three", "--id", "m3", "-q"]) == "m3\n")
            let evil = "x\nbob"
            try await control.text("contacts", "save", evil)
            let names = try await run(control, ["contacts", "list", "--quiet"])
            #expect(names.split(separator: "\n").contains("x␊bob") && names.split(separator: "\n").count == 3)
            for option in [["--json"], ["--format", "csv"], ["--columns", "id"]] {
                let both = try await control.run(["contacts", "list", "-q"] + option)
                #expect(both.exitCode == 64 && both.errorOutput.contains("names only"), "\(both.errorOutput)")
            }
        }
    }

    @Test func `--quiet prints the name of a single object that is shown or created`() async throws {
        try await withControl { control, daemon in
            try await fill(control)
            #expect(try await run(control, ["messages", "get", "m1", "-q"]) == "m1\n")
            #expect(try await run(control, ["conversations", "create", "carol", "-q"]) == "carol\n")
            #expect(try await run(control, ["logs", "open", "log", "--maximum-bytes", "1MiB", "-q"]) == "log\n")
            let backup = try await run(control, ["backup", "create", "-q"])
            #expect(try await run(control, ["backup", "list", "-q"]) == backup)
            let name = String(backup.dropLast())
            #expect(try await run(control, ["backup", "restore", name, "--replace", "-q"]).isEmpty)
        }
    }

    @Test func `--quiet prints no report and no result without a name`() async throws {
        try await withControl { control, daemon in
            try await fill(control)
            for words in [["status"], ["stats"], ["check"], ["attachments", "usage"]] {
                #expect(try await run(control, words + ["--quiet"]).isEmpty, "\(words)")
            }
            let open = try await control.run("status", "--quiet", "--require-open")
            #expect(open.exitCode == 0 && open.output.isEmpty && open.errorOutput.isEmpty, "\(open)")
            let prune = ["backup", "prune", "--keep-last", "1"]
            #expect(try await run(control, prune + ["-q"]).isEmpty)
            for format in ["json", "csv"] {
                let none = try await control.run(prune, environment: ["GHOSTSTORE_FORMAT": format])
                #expect(none.exitCode == 0 && none.output.isEmpty, "\(none)")
            }
            for _ in 0..<2 { try await control.text("backup", "create") }
            #expect(try await run(control, prune + ["-q"]).isEmpty)
            #expect(try await control.json("backup", "list").count == 1)
            let file = daemon.directory.file("copy")
            let kept = try await run(control, ["backup", "create", "-o", file, "--keep", "-q"])
            #expect(try await run(control, ["backup", "list", "-q"]).split(separator: "\n").count == 2)
            #expect(kept.split(separator: "\n").count == 1)
            #expect(try await run(control, ["backup", "create", "-o", file, "--force", "-q"]).isEmpty)
        }
    }

    @Test func `commands report what they did, and an export rejects unsupported formats`() async throws {
        try await withControl { control, daemon in
            try await fill(control)
            let file = daemon.directory.file("export.jsonl")
            #expect(try await run(control, ["messages", "export", "-o", file]) == "wrote 2 lines to \(file)\n")
            let json = try await control.json("messages", "export", "-o", file, "--force")
            #expect(json.first?["lines"] == 2 && json.first?["file"]?.text == file)
            for format in ["csv", "tsv"] {
                let refused = try await control.run("messages", "export", "--format", format)
                #expect(refused.exitCode == 64 && refused.errorOutput.contains("JSON Lines"), "\(refused.errorOutput)")
            }
            for format in ["csv", "tsv"] {
                let asked = ["GHOSTSTORE_FORMAT": format]
                let byDefault = try await control.run("messages", "export", environment: asked)
                #expect(byDefault.exitCode == 64 && byDefault.output.isEmpty, "\(byDefault.output)")
                #expect(byDefault.errorOutput.contains("hint: use --format json"), "\(byDefault.errorOutput)")
                let overruled = try await control.run("messages", "export", "--format", "json", environment: asked)
                #expect(overruled.exitCode == 0 && overruled.output.hasPrefix("{"), "\(overruled.errorOutput)")
            }
            let name = String(try await run(control, ["backup", "create", "-q"]).dropLast())
            let restored = try await run(control, ["backup", "restore", name, "--replace"])
            #expect(restored.hasPrefix("restored the backup \(name);"), "\(restored)")
            let search = try await control.run("search", "town")
            #expect(search.exitCode == 64 && search.errorOutput.contains("'ghoststorectl search messages QUERY'"))
            let archive = try await control.run("archive", "create", daemon.directory.file("archive"))
            #expect(archive.errorOutput.contains("plain text"), "\(archive.errorOutput)")
            let copy = daemon.directory.file("copy")
            try await control.text("backup", "create", "-o", copy)
            let fromFile = try await control.run("backup", "restore", "--file", copy, "--replace")
            #expect(fromFile.output.hasPrefix("restored the backup from \(copy);"), "\(fromFile)")
            let unnamed = try await control.run("backup", "restore", copy, "--replace")
            #expect(unnamed.exitCode != 0 && unnamed.errorOutput.contains("--file \(copy)"), "\(unnamed.errorOutput)")
        }
    }

    private func run(_ control: Control, _ words: [String]) async throws -> String {
        let result = try await control.run(words)
        #expect(result.exitCode == 0, "\(words): \(result.errorOutput)")
        return result.output
    }
}
