import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import ghoststored

/// Command lines of the daemon that end before it serves clients.
@Suite struct CommandLineTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> (Int32, Program) {
        let program = try Program.start(Program.daemonPath, arguments, environment: environment, in: folder)
        return (try program.wait(), program)
    }

    @Test func `the version is printed`() throws {
        let (code, program) = try run("--version")
        #expect(code == 0)
        #expect(program.output == "ghoststored \(ProjectVersion.text)\n")
    }

    @Test func `help lists every exit code`() throws {
        let (code, program) = try run("--help")
        #expect(code == 0)
        for exitCode in ExitCode.allCases {
            #expect(program.output.contains(exitCode.meaning))
        }
    }

    @Test func `check-config prints the configuration in force`() throws {
        let file = try folder.write("limits:\n  connections_max: 9\n", to: "config.yaml")
        let (code, program) = try run(
            "--check-config", "--config", file, "--socket", "/from/flag",
            environment: ["GHOSTSTORE_STATE_DIRECTORY": "/from/environment", "GHOSTSTORE_TYPO": "1"])
        #expect(code == 0)
        #expect(program.output.contains("  connections_max: 9\n"))
        #expect(program.output.contains("socket: \"/from/flag\"\n"))
        #expect(program.output.contains("state_directory: \"/from/environment\"\n"))
        #expect(program.errors.contains("GHOSTSTORE_TYPO"))
    }

    @Test func `a variable names another configuration file, which may be absent`() throws {
        let file = try folder.write("limits:\n  connections_max: 9\n", to: "own.yaml")
        let (code, program) = try run("--check-config", environment: ["GHOSTSTORE_CONFIG": file])
        #expect(code == 0)
        #expect(program.output.contains("  connections_max: 9\n"))
        #expect(program.errors.isEmpty)
        let other = try folder.write("limits:\n  connections_max: 8\n", to: "other.yaml")
        let named = try run("--check-config", "--config", other, environment: ["GHOSTSTORE_CONFIG": file])
        #expect(named.1.output.contains("  connections_max: 8\n"))
        let absent = try run("--check-config", environment: ["GHOSTSTORE_CONFIG": folder.file("none")])
        #expect(absent.0 == 0)
        #expect(absent.1.output.contains("  connections_max: 2048\n"))
    }

    @Test(arguments: [
        "sokcet: /x", "log_level: loud", "access:\n  rules:\n    - user:no-such-user-here messages:read",
    ])
    func `check-config fails with 78 and the cause`(text: String) throws {
        let file = try folder.write(text, to: "config.yaml")
        let (code, program) = try run("--check-config", "--config", file)
        #expect(code == 78)
        #expect(program.errors.hasPrefix("ghoststored: "))
        #expect(program.output.isEmpty)
    }

    @Test func `a wrong command line ends with 64`() throws {
        #expect(try run("--no-such-option").0 == 64)
        #expect(try run("--log-level", "loud", "--check-config").0 == 64)
    }

    @Test func `a key file is created only once and for its owner alone`() throws {
        let path = folder.file("key")
        #expect(try run("generate-key-file", path).0 == 0)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_size == 32)
        #expect(status.st_mode & 0o777 == 0o600)
        let (code, program) = try run("generate-key-file", path)
        #expect(code == 73)
        #expect(program.errors.contains("exists"))
    }

    @Test func `a store cannot be created without a key`() throws {
        let (code, program) = try run(
            "--create", "--state-directory", folder.file("state"), "--socket", folder.file("socket"))
        #expect(code == 78)
        #expect(program.errors.contains("create_store needs a key"))
    }
}
