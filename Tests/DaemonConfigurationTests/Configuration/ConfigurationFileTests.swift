import Glibc
import TestBasics
import Testing

@testable import ghoststored

@Suite struct ConfigurationFileTests {
    private func parse(_ text: String) throws(DaemonError) -> [String: SettingValue] {
        try ConfigurationFile.values(text)
    }

    @Test func `values of every type are read`() throws {
        let values = try parse(
            """
            # a comment
            state_directory: /data/store
            key_file: "/quoted: # text"
            create_store: true
            access:
              rules:
                - "user:1 messages:read"
                - group:2 administration
            limits:
              connections_max: 12
            """)
        #expect(
            values == [
                "state_directory": .text("/data/store"), "key_file": .text("/quoted: # text"),
                "create_store": .flag(true),
                "access.rules": .texts(["user:1 messages:read", "group:2 administration"]),
                "limits.connections_max": .number(12),
            ])
    }

    @Test(arguments: ["", "# nothing but a comment\n", "---\n", "{}"])
    func `a file without keys has no values`(text: String) throws {
        #expect(try parse(text).isEmpty)
    }

    @Test(arguments: [
        ("sokcet: /x", "test.yaml:1: there is no setting 'sokcet'"),
        ("\n\nlimits:\n  bogus: 1", "test.yaml:4: there is no setting 'limits.bogus'"),
        ("connections_max: 1", "did you mean 'limits.connections_max'?"),
        ("socket: /a\nlog_level: info\nsocket: /b", "test.yaml:3: the key 'socket' is given twice"),
        (
            "limits:\n  reader_threads: 1\n  reader_threads: 2",
            "test.yaml:3: the key 'limits.reader_threads' is given twice"
        ),
        (
            "limits:\n  reader_threads: 1\nlimits:\n  event_loop_threads: 1",
            "test.yaml:3: the key 'limits' is given twice"
        ),
    ])
    func `unknown and repeated keys are rejected with their line`(text: String, problem: String) {
        let error = #expect(throws: DaemonError.self) { try parse(text) }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("create_store: yes", "test.yaml:1: create_store is not true or false"),
        ("create_store: \"true\"", "test.yaml:1: create_store is not true or false"),
        ("\nlimits:\n  connections_max: many", "test.yaml:3: limits.connections_max is not a number from 1 to 65536"),
        ("limits:\n  connections_max: \"12\"", "limits.connections_max is not a number"),
        ("limits:\n  connections_max: -1", "limits.connections_max is not a number"),
        ("limits:\n  connections_max: 0x10", "limits.connections_max is not a number"),
        ("limits:\n  connections_max: 99999999999999999999999", "limits.connections_max is not a number"),
        ("limits:\n  connections_max:", "limits.connections_max is not a number"),
        ("limits:\n  connections_max: 0", "limits.connections_max is 0, expected 1 to 65536"),
        ("limits:\n  connections_max: 65537", "limits.connections_max is 65537, expected 1 to 65536"),
        ("log_level: loud", "log_level is 'loud', expected one of trace"),
        ("trusted_group:", "trusted_group is not text (write \"\" for none)"),
        ("trusted_group: [a]", "trusted_group is not text"),
        ("socket:", "socket is not an absolute path, which begins with /"),
        ("socket: [/a]", "socket is not an absolute path"),
        ("key_file: ~", "key_file is not an absolute path, which begins with /, or \"\" for none"),
        ("access:\n  rules: none", "access.rules is not a list (write [] for none)"),
        ("access:\n  rules:\n    - a: b", "the list 'access.rules' has an item that is not text"),
    ])
    func `wrong types and values out of range are rejected`(text: String, problem: String) {
        let error = #expect(throws: DaemonError.self) { try parse(text) }
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["state_directory", "socket", "key_file"])
    func `a relative path is rejected with its line and the valid form`(key: String) throws {
        #expect(try parse("\(key): /a b") == [key: .text("/a b")])
        for text in ["5", "store", "./store", "~/store", "$HOME/store", "\" /store\""] {
            let error = #expect(throws: DaemonError.self) { try parse("\n\(key): \(text)") }
            let message = try #require(error).message
            #expect(message.hasPrefix("test.yaml:2: \(key) is '"), "\(message)")
            #expect(message.contains("expected an absolute path, which begins with /"), "\(message)")
        }
        let longest = key == "socket" ? 107 : Int(PATH_MAX) - 1
        let path = "/" + String(repeating: "x", count: longest - 1)
        #expect(try parse("\(key): \(path)") == [key: .text(path)])
        let error = #expect(throws: DaemonError.self) { try parse("\(key): \(path)x") }
        #expect(error?.message.contains("has \(longest + 1) bytes, expected at most \(longest)") == true)
        if key == "key_file" {
            #expect(try parse("key_file: \"\"") == ["key_file": .text("")])
        } else {
            let error = #expect(throws: DaemonError.self) { try parse("\(key): \"\"") }
            #expect(error?.message.contains("\(key) is empty, expected an absolute path") == true)
        }
    }

    /// Reading stops early only where the text is not YAML.
    @Test func `all errors of a file are reported together, in the order of the file`() throws {
        let error = #expect(throws: DaemonError.self) {
            try parse(
                """
                state_directory: 5
                socket: &a /x
                ? [a, {b: c}]
                : {d: [e]}
                key_file: *a
                trusted_group: !!str x
                trusted_group: {x: [y]}
                create_store: {a: {b: {c: {d: {}}}}}
                access:
                  rules:
                    - a: [b]
                    - *a
                    - [c]
                limits:
                  reader_threads: 0
                  reader_threads: 1
                log_level: loud
                ---
                log_level: loud
                """)
        }
        let lines = try #require(error).message.split(separator: "\n").map { $0.dropFirst("test.yaml:".count) }
        #expect(lines.map { $0.prefix { $0 != ":" } } == "1 2 3 5 6 7 8 11 12 13 15 16 17 18".split(separator: " "))
        let causes = [
            "state_directory", "anchors", "a single word", "aliases", "tags", "given twice", "nested", "not text",
            "aliases", "not text", "reader_threads is 0", "given twice", "log_level", "second YAML document",
        ]
        #expect(zip(lines, causes).allSatisfy { $0.contains($1) }, "\(lines)")
        let broken = #expect(throws: DaemonError.self) { try parse("socket: x\nlog_level: loud\nkey_file: [") }
        let told = try #require(broken).message.split(separator: "\n")
        #expect(told.count == 3 && told[0].contains("socket") && told[1].contains("loud"), "\(told)")
        #expect(told.last?.hasPrefix("test.yaml:4: the text is not valid YAML") == true, "\(told)")
    }

    @Test(arguments: [
        ("socket: &a /x", "anchors are not supported"),
        ("socket: *a", "aliases are not supported"),
        ("socket: !!str /x", "tags are not supported"),
        ("limits: &a {}", "anchors are not supported"),
        ("- one", "expected keys with values at the top level"),
        ("just text", "expected keys with values at the top level"),
        ("socket: /a\n---\nsocket: /b", "a second YAML document begins"),
        ("a: {b: {c: {d: {e: 1}}}}", "nested too deeply"),
        ("? [a]\n: b", "a key must be a single word"),
        ("socket: [", "test.yaml:"),
        ("socket: \"", "test.yaml:"),
        ("\tsocket: x", "test.yaml:1:"),
        ("socket: a\u{0}b", "test.yaml:"),
    ])
    func `YAML features beyond the supported subset are rejected`(text: String, problem: String) {
        let error = #expect(throws: DaemonError.self) { try parse(text) }
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    @Test func `bytes that are not UTF-8 are rejected`() {
        #expect(throws: DaemonError.self) {
            try ConfigurationFile.values([UInt8]("socket: /".utf8) + [0xFF, 0xFE, 0x41], path: "test.yaml")
        }
    }

    @Test func `random bytes never trap`() {
        var generator = TestSeeds.generator(17)
        let alphabet = Array("abc:-#[]{}\"'\n  &*!|>?%@`,\u{0}\t".utf8) + [0xC3, 0xFF]
        for _ in 0..<TestTier.count(500, long: 2_000) {
            let bytes = (0..<Int.random(in: 0..<64, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            _ = ConfigurationFile(bytes, path: "test.yaml")
        }
    }

    @Test func `a file that every user can write is rejected`() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("log_level: debug\n", to: "config.yaml", mode: 0o666)
        let problems = ConfigurationFile(reading: path, isRequired: true).problems
        #expect(problems.count == 1 && problems[0].description.hasPrefix("\(path): every user can write to it"))
    }

    @Test func `a missing file is an error only if it was named explicitly`() throws {
        let folder = try TemporaryDirectory()
        #expect(ConfigurationFile(reading: folder.file("none"), isRequired: false).problems.isEmpty)
        #expect(ConfigurationFile(reading: folder.file("none"), isRequired: true).problems.count == 1)
        #expect(ConfigurationFile(reading: folder.path, isRequired: false).problems.count == 1)
    }
}
