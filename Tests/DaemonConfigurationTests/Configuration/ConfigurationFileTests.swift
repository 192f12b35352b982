import TestBasics
import Testing

@testable import ghoststored

@Suite struct ConfigurationFileTests {
    private func parse(_ text: String) throws(DaemonError) -> [String: SettingValue] {
        try ConfigurationFile.parse(Array(text.utf8), path: "test.yaml")
    }

    @Test func `values of every type are read`() throws {
        let values = try parse(
            """
            # a comment
            state_directory: /data/store
            key_file: "quoted: # text"
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
                "state_directory": .text("/data/store"), "key_file": .text("quoted: # text"),
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
    func `unknown and repeated keys are refused with their line`(text: String, problem: String) {
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
        ("socket:", "socket is not text (write \"\" for none)"),
        ("socket: [/a]", "socket is not text"),
        ("access:\n  rules: none", "access.rules is not a list (write [] for none)"),
        ("access:\n  rules:\n    - a: b", "the list 'access.rules' holds something else than text"),
    ])
    func `wrong types and values out of range are refused`(text: String, problem: String) {
        let error = #expect(throws: DaemonError.self) { try parse(text) }
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("socket: &a /x", "anchors are not supported"),
        ("socket: *a", "aliases are not supported"),
        ("socket: !!str /x", "tags are not supported"),
        ("limits: &a {}", "anchors are not supported"),
        ("- one", "expected keys with values at the top"),
        ("just text", "expected keys with values at the top"),
        ("socket: /a\n---\nsocket: /b", "a second document begins"),
        ("a: {b: {c: {d: {e: 1}}}}", "nested too deeply"),
        ("? [a]\n: b", "a key is one word"),
        ("socket: [", "test.yaml:"),
        ("socket: \"", "test.yaml:"),
        ("\tsocket: x", "test.yaml:1:"),
        ("socket: a\u{0}b", "test.yaml:"),
    ])
    func `what is more than plain YAML is refused`(text: String, problem: String) {
        let error = #expect(throws: DaemonError.self) { try parse(text) }
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        #expect(throws: DaemonError.self) {
            try ConfigurationFile.parse([UInt8]("socket: ".utf8) + [0xFF, 0xFE, 0x41], path: "test.yaml")
        }
    }

    @Test func `random bytes never trap`() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("abc:-#[]{}\"'\n  &*!|>?%@`,\u{0}\t".utf8) + [0xC3, 0xFF]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<64)).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            _ = try? ConfigurationFile.parse(bytes, path: "test.yaml")
        }
    }

    @Test func `a file that everyone may write to is refused`() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("log_level: debug\n", to: "config.yaml", mode: 0o666)
        let error = #expect(throws: DaemonError.self) { try ConfigurationFile.read(path: path, isRequired: true) }
        #expect(error?.message.contains("everyone may write to it") == true)
    }

    @Test func `an absent file is an error only when it was named`() throws {
        let folder = try TemporaryDirectory()
        #expect(try ConfigurationFile.read(path: folder.file("none"), isRequired: false).isEmpty)
        #expect(throws: DaemonError.self) { try ConfigurationFile.read(path: folder.file("none"), isRequired: true) }
    }
}
