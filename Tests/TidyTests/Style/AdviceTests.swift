import Testing

@Suite struct AdviceTests {
    private static let targets = [
        "ghoststorectl", "ghoststored", "ghoststore-sync", "StoreServer", "StoreEngine", "StoreCrypto", "StoreClient",
        "ServiceSupport", "ReplicaTransport", "SQLCipher", "StoreBasics", "FileVault", "AppendLog", "BlobStorage",
        "ConversationStorage", "SceneStorage",
    ]

    @Test func `no message, hint, log line or finding proposes a command that could do harm`() throws {
        let sources = try Repository.sources()
        let commands = AdviceRule.commands(sources)
        expectNone(
            sources.filter { Self.targets.contains($0.target) }
                .flatMap { AdviceRule.findings($0, commands: commands) })
    }

    @Test(arguments: ["docs/alarms.md"]) func `no document of alarms proposes a harmful command`(path: String) throws {
        let commands = AdviceRule.commands(try Repository.sources())
        expectNone(AdviceRule.findings(document: try Repository.text(path), path: path, commands: commands))
    }

    /// Checks that the rule finds commands at all, with the checks of `doctor` as an example.
    @Test func `commands that the sources propose are found`() throws {
        let sources = try Repository.sources()
        let commands = AdviceRule.commands(sources)
        #expect(commands.contains("files rm") && commands.contains("backup prune"))
        let doctor = try #require(sources.first { $0.path.hasSuffix("Doctor/DaemonChecks.swift") })
        let all = doctor.lines.flatMap {
            AdviceRule.proposals($0.replacing("\"", with: "'"), commands: commands, begins: AdviceRule.plainPrograms)
        }
        #expect(all.contains("ghoststorectl unlock") && all.contains("ghoststorectl init"), "\(all)")
    }

    static let harmful = [
        #"return .problem(.store, text, mend: "ghoststorectl unlock --accept-loss")"#,
        #"mend: "ghoststorectl backup prune --keep-last 2""#, #"mend: "sudo rm \(file.shellWord)""#,
        #"throw E("it is damaged; hint: ghoststorectl backup restore \(name)")"#,
        #"throw E("it is there; hint: give another name or --force")"#,
        #"throw E("it is in use; 'files rm \(path)' removes it")"#, #"throw E("x; run: rm -rf \(path)")"#,
        #"throw E("x; accept it with `ghoststorectl unlock --accept-loss`")"#, #"mend: "pkill ghoststored""#,
        #"mend: "cp -a \(a) \(b)""#, #"mend: "sudo mkdir -p -m 0700 /a && sudo mv \(a) /b""#,
        #"logger.error("x: ghoststorectl replication leave")"#, #"mend: "ghoststorectl keys remove 1""#,
    ]

    @Test(arguments: harmful) func `a command that could do harm is found`(line: String) {
        let source = SwiftSource(path: "Sources/ghoststorectl/Doctor/x.swift", text: line)
        let commands: Set = ["files rm", "files ls", "backup", "keys", "replication", "unlock"]
        #expect(!AdviceRule.findings(source, commands: commands).isEmpty, "\(line)")
    }

    static let harmless = [
        #"mend: "ghoststorectl unlock""#, #"mend: "\(place.systemctl) restart ghoststored.service""#,
        #"throw E("there is no store; make one with `ghoststorectl init`")"#, #"mend: "df -h \(path)""#,
        #"throw E("x; hint: ghoststorectl replication status")"#,
        #"throw E("others read it; hint: chmod 600 \(path)")"#,
        #"@Flag(help: "Replace it; as 'files rm' does.")"#, #"throw E("remove it first; move it away")"#,
    ]

    @Test(arguments: harmless) func `a harmless command is not found`(line: String) {
        let source = SwiftSource(path: "Sources/ghoststorectl/Doctor/x.swift", text: line)
        #expect(AdviceRule.findings(source, commands: ["files rm"]).isEmpty, "\(line)")
    }

    @Test func `a document's code span that could do harm is found`() {
        let rows = [
            "| alarm | answer |", "|---|---|", "| a | `ghoststorectl backup restore` |", "| b | `files rm` |",
            "| c | go on with `--accept-loss` |", "| `--accept-loss` was given | `ghoststorectl status` |",
        ]
        let found = AdviceRule.findings(
            document: rows.joined(separator: "\n"), path: "docs/a.md", commands: ["files rm", "backup"])
        #expect(found.map(\.line) == [3, 4, 5], "\(found)")
    }
}
