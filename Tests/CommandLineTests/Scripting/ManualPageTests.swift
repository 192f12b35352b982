import GhostTestSupport
import TestBasics
import Testing

/// Compares the manual pages with the programs' own help.
@Suite(.manualPages) struct ManualPageTests {
    @Test func `each program, configuration file and group of commands has a valid page`() async throws {
        let pages = try #require(ManualPages.shared)
        let tree = try await CommandTree.whole()
        let groups = tree.filter { $0.path.count == 1 && !($0.command.subcommands ?? []).isEmpty }
        let expected = groups.map { "ghoststorectl-\($0.command.commandName).1" } + ManualPages.programs.values
        #expect(groups.count > 10)
        #expect(try pages.names() == (expected + ["ghoststored.yaml.5", "ghoststore-sync.yaml.5"]).sorted())
        let lint = try await Program.run(
            "/usr/bin/env", ["mandoc", "-T", "lint", "-W", "warning"] + (try pages.names().map(pages.path)))
        #expect(lint.exitCode == 0 && lint.output.isEmpty, "\(lint.output) \(lint.errorOutput)")
    }

    @Test(arguments: ManualPages.programs.keys.sorted())
    func `every option and argument of the help is in its page`(_ program: String) async throws {
        let pages = try #require(ManualPages.shared)
        var seen = 0
        for (path, command) in try await CommandTree.whole(of: program) where command.shouldDisplay {
            let isGroup = program == "ghoststorectl" && (path.count > 1 || !(command.subcommands ?? []).isEmpty)
            let name = isGroup && !path.isEmpty ? "\(program)-\(path[0]).1" : ManualPages.programs[program] ?? ""
            let isPage = path.isEmpty || (isGroup && path.count == 1)
            let own = isPage ? [] : pages.lines(of: name, below: ".Ss " + ([program] + path).joined(separator: " "))
            let common = pages.lines(of: name, below: path.isEmpty || !isGroup ? ".Sh OPTIONS" : ".Sh COMMON OPTIONS")
            let items = (own + common).filter { $0.hasPrefix(".It ") }.map { $0.filter { !"\\&\"".contains($0) } + " " }
            for argument in (command.arguments ?? []).filter(\.shouldDisplay) {
                let words =
                    argument.words.isEmpty
                    ? ["Ar \(argument.valueName ?? "")"] : argument.words.map { "Fl \($0.dropFirst())" }
                #expect(
                    words.allSatisfy { word in items.contains { $0.contains(" \(word) ") } },
                    "\(name): \(path) \(argument.title)")
                seen += 1
            }
        }
        #expect(seen > 3)
    }

    @Test func `every key and variable of the configuration is in its page, with its default`() async throws {
        let page = try #require(ManualPages.shared).text("ghoststored.yaml.5")
        let table = try RepositoryFiles.text("docs/ghoststored.md").split(separator: "| key |")[1]
        let rows = table.split(separator: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }
        #expect(rows.count > 20)
        for row in rows {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).map { cell in
                cell.filter { !"` ".contains($0) }
            }
            let entry = page.split(separator: ".It Cm \(cells[1])\n")
            #expect(entry.count == 2, "\(cells[1])")
            let lines = (entry.last?.split(separator: "\n.It ")[0] ?? "").split(separator: "\n")
            #expect(lines.joined(separator: " ").contains(" Default: \(cells[4]). Values: "), "\(lines)")
            #expect(cells[2].isEmpty || lines.contains(".Ev \(cells[2]) ."), "\(lines)")
        }
    }

    @Test func `every key of the agent's configuration is in its page, with its default`() async throws {
        let page = try #require(ManualPages.shared).text("ghoststore-sync.yaml.5")
        let told = try RepositoryFiles.text("docs/replication.md").split(separator: "| key | default |")[1]
        let rows = told.split(separator: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }
        #expect(rows.count > 15)
        for row in rows {
            let cells = row.split(separator: "|").map { cell in
                cell.replacing("`", with: "").split(separator: " ").joined(separator: " ")
            }
            let entry = page.split(separator: ".It Cm \(cells[0])\n")
            #expect(entry.count == 2, "\(cells[0])")
            let lines = (entry.last?.split(separator: "\n.It ")[0] ?? "").split(separator: "\n")
            let text = lines.joined(separator: " ").replacing("\\(aq", with: "'")
            #expect(text.contains("Default: \(cells[1])."), "\(cells[0]): \(text)")
        }
        // A group of keys without its own description has no entry, because its keys have theirs.
        #expect(!page.contains(".It Cm nats\n"))
    }

    @Test func `the headings name ghoststore as the system, and not BSD`() async throws {
        let pages = try #require(ManualPages.shared)
        for name in try pages.names() {
            let page = pages.text(name)
            // The line `.ds` must be between `.Dd` and `.Dt`: groff resets the string at `.Dd`, and uses it for the
            // heading at `.Dt`.
            #expect(page.contains(#/\n\.Dd [^\n]+\n\.ds doc-volume-operating-system ghoststore\n\.Dt /#), "\(name)")
        }
    }

    /// No daemon runs, so a valid command line fails too, but with an exit status other than 64.
    @Test func `the programs understand every example`() async throws {
        let pages = try #require(ManualPages.shared)
        let programs = try ManualPages.programsFolder()
        var seen = 0
        for name in try pages.names() where !name.hasSuffix(".5") {
            #expect(!pages.examples(of: name).isEmpty, "\(name)")
            for example in pages.examples(of: name) where !example.hasPrefix("systemctl") {
                let result = try await Program.shell(
                    "cd '\(pages.folder.path)'; PATH='\(programs)':$PATH; { \(Self.unharmful(example)); } </dev/null",
                    environment: ["GHOSTSTORE_SOCKET": pages.folder.file("no-daemon")])
                let code = try #require(result.exitCode)
                #expect(code != 64 && code != 127 && code != 2, "\(example): \(result.errorOutput)")
                seen += 1
            }
        }
        #expect(seen > 30)
    }

    /// Changes an example so that it only touches the test's folder, and ends after two seconds if it would run
    /// forever.
    private static func unharmful(_ example: String) -> String {
        let command = example.replacing("/etc/", with: "./").replacing("~/", with: "./")
        let isLasting = command.hasSuffix(" &") || command.hasPrefix("until ")
        guard isLasting else { return command }
        let script = command.hasSuffix(" &") ? command.dropLast(2) : command[...]
        return "timeout 2 sh -c '\(script)' || [ $? -eq 124 ]"
    }
}
