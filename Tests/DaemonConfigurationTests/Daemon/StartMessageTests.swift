import Glibc
import TestBasics
import Testing

@testable import ghoststored

/// The messages of the daemon when it does not start.
@Suite struct StartMessageTests {
    /// A command line and environment with which the daemon does not start, and the exit code and words that are
    /// expected.
    private struct Failure {
        let arguments: [String]
        var environment: [String: String] = [:]
        let code: ExitCode
        /// Texts that the message must contain.
        let words: [String]

        init(
            _ arguments: [String], environment: [String: String] = [:], _ code: ExitCode, _ words: String...
        ) {
            self.arguments = arguments
            self.environment = environment
            self.code = code
            self.words = words
        }
    }

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private var ofCommandLine: [Failure] {
        [
            Failure(["--no-such"], .usage, "unknown option '--no-such'; hint: "),
            Failure(["--reload", "x"], .usage, "'--reload <process>'"),
            Failure(["--reload", "1"], .usage, "process 1 "), Failure(["--state-directory"], .usage, "missing value"),
            Failure(["more"], .usage, "unexpected argument 'more'"), Failure(["generate-key-file"], .usage, "<path>"),
            Failure(["--socket", "socket"], .usage, "socket is 'socket', expected an absolute path"),
            Failure(["--log-level", "loud"], .usage, "log_level is 'loud', expected one of trace"),
            Failure(["generate-key-file", "/none/key"], .cannotCreate, "/none/key"),
        ]
    }

    private func ofConfiguration() throws -> [Failure] {
        let wrong = try folder.write("socket: x\naccess:\n  rules:\n    - a b\nlog_level: [\n", to: "wrong.yaml")
        let open = try folder.write("", to: "open.yaml", mode: 0o666)
        return [
            Failure(["--config", folder.file("none")], .configuration, folder.file("none"), "could not be opened"),
            Failure(["--config", folder.path], .configuration, folder.path, "name a file"),
            Failure(["--config", open], .configuration, open, "chmod o-w"),
            Failure(
                ["--config", wrong], .configuration, "\(wrong):1: socket is 'x', expected", "\(wrong):4: access rule",
                "the text is not valid YAML"),
            Failure(
                ["--config", wrong], environment: ["GHOSTSTORE_CREATE_STORE": "perhaps"], .configuration,
                "environment variable GHOSTSTORE_CREATE_STORE: the value is not true or false", "\(wrong):1"),
            Failure([], environment: ["NOTIFY_SOCKET": "x"], .configuration, "NOTIFY_SOCKET must be "),
        ]
    }

    private func ofPlaces() throws -> [Failure] {
        let file = try folder.write("", to: "file")
        let short = try folder.write("nine byte", to: "short")
        let known = try folder.write(String(repeating: "k", count: 32), to: "known", mode: 0o644)
        let state = ["--state-directory", folder.file("state")]
        let socket = ["--socket", folder.file("socket")]
        let own = socket + state
        var failures = [
            Failure(socket + ["--state-directory", file], .cannotCreate, "\(file): ", "not a folder; move it away"),
            Failure(
                socket + ["--state-directory", "/proc/none"], .cannotCreate, "/proc/none: ", "cannot be created",
                "create it"),
            Failure(own + ["--create"], .configuration, "create_store needs a key: set key_file"),
            Failure(
                own + ["--create", "--key-file", folder.file("none")], .configuration, folder.file("none"),
                """
                put it back
                """),
            Failure(
                own + ["--create", "--key-file", short], .configuration, short,
                """
                9 bytes; a key file must have 32 to 4,096
                """),
            Failure(own + ["--create", "--key-file", known], .configuration, known, "chmod 0600"),
            Failure(state + ["--socket", folder.file("none/socket")], .cannotCreate, folder.file("none"), "create it"),
            Failure(state + ["--socket", file], .cannotCreate, file, "is not a socket: move it away"),
        ]
        if geteuid() == 0 {
            try #require(
                mkdir(folder.file("foreign"), 0o700) == 0 && chown(folder.file("foreign"), 61_001, 61_001) == 0)
            failures.append(
                Failure(
                    socket + ["--state-directory", folder.file("foreign")], .cannotCreate,
                    "\(folder.file("foreign")): ",
                    "belongs to user 61001, but the daemon runs as user 0", "(chown)"))
        }
        return failures
    }

    @Test func `each message is one line with the cause and a hint`() throws {
        for failure in try ofCommandLine + ofConfiguration() + ofPlaces() {
            try expect(failure)
        }
    }

    @Test func `the message names a state directory or socket that is in use`() throws {
        let first = try RunningDaemon()
        #expect(first.message(with: "READY=1") != nil)
        let state = first.folder.file("state")
        try expect(
            Failure(
                ["--state-directory", state, "--socket", folder.file("socket")], .unavailable,
                "\(state): another ghoststored", "; stop that daemon"))
        try expect(
            Failure(
                ["--state-directory", folder.file("state2"), "--socket", first.socketPath], .unavailable,
                first.socketPath, "stop that daemon"))
        #expect(try first.stop() == 0)
    }

    private func expect(_ failure: Failure) throws {
        let environment = [ConfigurationFile.pathVariable: folder.file("none")].merging(failure.environment) { $1 }
        let program = try Program.start(
            Program.daemonPath, failure.arguments, environment: environment, in: folder)
        #expect(try program.wait() == failure.code.rawValue, "\(failure.arguments): \(program.errors)")
        let lines = program.errors.split(separator: "\n").filter { $0.hasPrefix("ghoststored: ") }
        #expect(!lines.isEmpty, "\(failure.arguments): \(program.errors)")
        for line in lines {
            // Each message starts with a path, a lower case word or the name of a variable.
            #expect(line.contains(/^ghoststored: ([a-z\/]|[A-Z_]+ )/), "\(line)")
            #expect(!line.contains(/\.;|\.\.|;;|\.$|[;:]$/), "\(line)")
        }
        for words in failure.words {
            #expect(program.errors.contains(words), "\(failure.arguments) lacks '\(words)': \(program.errors)")
        }
    }

    @Test func `a limit of open files below the number of connections causes a warning`() throws {
        let daemon = "\(Program.daemonPath) --state-directory \(folder.file("state")) --socket \(folder.file("socket"))"
        let receiver = try NotificationReceiver(folder.file("notify"))
        let program = try Program.start(
            "/bin/sh", ["-c", "ulimit -n 256; exec \(daemon)"],
            environment: ["NOTIFY_SOCKET": folder.file("notify"), "PATH": "/usr/bin:/bin"], in: folder)
        #expect(receiver.next()?.contains("READY=1") == true)
        program.signal(SIGTERM)
        #expect(try program.wait() == 0)
        #expect(program.errors.contains("LimitNOFILE= (ulimit -n)"), "\(program.errors)")
        #expect(program.errors.contains("open_files_max=256"), "\(program.errors)")
    }
}
