import GhostTestSupport
import Testing

/// The help texts of the program, and its errors about the command line.
@Suite struct HelpTextTests {
    @Test func `every page of help fits 80 columns and describes every option`() async throws {
        let tree = try await CommandTree.whole()
        #expect(tree.count > 60)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (path, command) in tree {
                group.addTask {
                    let help = try await Control.run(path + ["--help"], environment: ["COLUMNS": "80"])
                    #expect(help.exitCode == 0 && help.output.hasPrefix("OVERVIEW: "), "\(path)")
                    for line in help.output.split(separator: "\n") {
                        #expect(line.count <= 80, "\(path): \(line)")
                    }
                    for argument in command.arguments ?? [] where argument.shouldDisplay {
                        #expect(help.output.contains(argument.title), "\(path): \(argument.title)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `the usage line is wrapped between words at any width`() async throws {
        for columns in [30, 60, 132] {
            let help = try await Control.run(["logs", "follow", "--help"], environment: ["COLUMNS": "\(columns)"])
            let usage = help.output.split(separator: "\n").drop { !$0.hasPrefix("USAGE: ") }
                .prefix { $0.hasPrefix("USAGE: ") || $0.hasPrefix("       ") }
            #expect(usage.allSatisfy { $0.count <= columns }, "\(usage)")
            let words = usage.joined(separator: " ").split(separator: " ").joined(separator: " ")
            let start = "USAGE: ghoststorectl logs follow <log> [--all-devices] [--place <place>] "
            #expect(words.hasPrefix(start), "\(words)")
            #expect(words.hasSuffix("[<common options>]"), "\(words)")
        }
    }

    static let mistakes: [([String], String)] = [
        (["status", "--timeout", "0"], "end a call after this many seconds (default: 30"),
        (["messages", "list", "a", "--from", "someday"], "only messages at or after this time: 2026-"),
        (["messages", "list", "a", "--limit", "many"], "rows to show, 1 to 1,000"),
        (["messages", "list", "a", "--limit", "0"], "ghoststorectl messages list [<conversation>] [<options>]"),
        (["messages", "save", "a", "b", "--status", "lost"], "one of 'pending', 'sent', 'delivered' or 'failed'"),
        (["status", "--format", "xml"], "one of 'table', 'json', 'jsonl', 'csv' or 'tsv'"),
        (["doctor", "--skip", "x"], "one of configuration, units, socket"),
        (["top", "--interval", "1ms"], "time between two screens, from 100ms to 1h"),
        (["watch", "--kind", "x"], "one of conversation, message, contact, store, scene-value, log"),
        (["scenes", "set", "a", "b", "c", "--type", "x"], "one of string, integer, "),
        (["scenes", "set", "a", "b"], "ghoststorectl scenes set <scene> <key value> ... [<options>]"),
        (["completions", "tcsh"], "one of 'bash', 'zsh' or 'fish'"),
        (["completions"], "ghoststorectl completions <shell>"),
        (["logs", "open", "l", "--maximum-bytes", "1XB"], "size limit of the log: bytes, or with a unit: 64KiB"),
        (["logs", "open", "l"], "ghoststorectl logs open <log> --maximum-bytes <size> [<options>]"),
        (["logs", "info"], "ghoststorectl logs info <log> [<options>]"),
        (["logs", "info", "a", "b"], "ghoststorectl logs info <log> [<options>]"),
        (["logs", "info", "a", "--socket"], "path of the daemon's socket"),
        (["status", "--json=yes"], "ghoststorectl "),
        (["keys", "remove", "one"], "number of the slot, as 'keys list' shows it"),
        (["watch", "--history", "123"], "fail unless the store has this history id (32 digits"),
        (["backup", "download", "name", "-ox"], "ghoststorectl backup download <name> --output <output> [<options>]"),
    ]

    @Test(arguments: mistakes)
    func `an error about a command line is one line with the cause before the hint`(
        _ words: [String], _ hint: String
    ) async throws {
        let result = try await Control.run(words)
        #expect(result.exitCode == 64 && result.output.isEmpty)
        let text = result.errorOutput
        #expect(text.split(separator: "\n").count == 1 && text.contains("; hint: \(hint)"), "\(text)")
        #expect(text.wholeMatch(of: #/ghoststorectl: ['a-z0-9-](?:(?!\.;|;;|[.:] *\n|  ).)+\n/#) != nil, "\(text)")
        #expect(text.matches(of: #/hint: /#).count == 1 && !text.contains("--no-progress"), "\(text)")
    }
}
