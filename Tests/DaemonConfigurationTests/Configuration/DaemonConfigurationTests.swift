import Logging
import TestBasics
import Testing

@testable import StoreServer
@testable import ghoststored

@Suite struct DaemonConfigurationTests {
    @Test func `flags override the environment, the environment the file, and the file defaults`() throws {
        let file: [String: SettingValue] = [
            "socket": .text("/file"), "key_file": .text("/file"), "state_directory": .text("/file"),
        ]
        let environment = ["GHOSTSTORE_LOG_LEVEL": "debug", "GHOSTSTORE_KEY_FILE": "/environment"]
        let flags: [String: SettingValue] = ["log_level": .text("error")]
        let merged = try DaemonConfiguration.merge(file: file, environment: environment, flags: flags)
        #expect(merged.logLevel == .error)
        #expect(merged.keyFile == "/environment")
        #expect(merged.stateDirectory == "/file")
        #expect(merged.connectGroup == nil)
        #expect(merged.trustedGroup == "ghoststore")
    }

    @Test func `the clients' variable for the socket does not change the daemon's socket`() throws {
        let environment = ["GHOSTSTORE_SOCKET": "/elsewhere"]
        let file: [String: SettingValue] = ["socket": .text("/file")]
        #expect(try DaemonConfiguration.merge(file: file, environment: environment).socketPath == "/file")
        #expect(try DaemonConfiguration.merge(file: [:], environment: environment).socketPath.hasPrefix("/run/"))
        #expect(ConfigurationSources.unknownVariables(in: environment).isEmpty)
    }

    @Test func `all errors of all sources are reported together`() throws {
        let folder = try TemporaryDirectory()
        let text = """
            sokcet: /x
            create_store: perhaps
            access:
              rules:
                - user:0 nothing:read
                - user:0 messages:read
                - nobody messages:read
            limits:
              connections_max: 0
            state_directory: store
            """
        try folder.write(text, to: "wrong.yaml")
        var request = DaemonConfiguration.Request(
            configurationPath: folder.file("wrong.yaml"),
            environment: [
                "GHOSTSTORE_LOG_LEVEL": "loud", "GHOSTSTORE_AUTO_LOCK_SECONDS": "soon", "GHOSTSTORE_KEY_FILE": "key",
            ])
        let lines = try problems(of: request)
        let ofEnvironment = ["GHOSTSTORE_KEY_FILE: key_file is 'key'", "GHOSTSTORE_AUTO_LOCK_SECONDS", "LOG_LEVEL"]
        let expected =
            [
                "wrong.yaml:1: there is no setting 'sokcet'", "wrong.yaml:2: create_store",
                "wrong.yaml:5: access rule 'user:0 nothing:read': there is no area", "wrong.yaml:7: access rule",
                "wrong.yaml:9: limits.connections", "wrong.yaml:10: state_directory",
            ] + ofEnvironment
        #expect(lines.count == expected.count)
        #expect(zip(lines, expected).allSatisfy { $0.contains($1) }, "\(lines)")
        request.environment["GHOSTSTORE_ACCESS_RULES"] = "user:0 messages:read;user:0 nothing:read;x"
        let ofVariable = try problems(of: request)
        #expect(ofVariable.count == expected.count)
        #expect(
            ofVariable.filter { $0.contains("environment variable GHOSTSTORE_ACCESS_RULES: access rule") }.count == 2)
        // A file that cannot be read does not hide the problems of the other sources.
        request.configurationPath = folder.file("none.yaml")
        let ofNone = try problems(of: request)
        #expect(ofNone.count == 1 + ofEnvironment.count + 2)
        #expect(ofNone[0].hasPrefix("\(folder.file("none.yaml")): the file could not be opened"))
    }

    private func problems(of request: DaemonConfiguration.Request) throws -> [Substring] {
        let error = #expect(throws: DaemonError.self) { try DaemonConfiguration.load(request) }
        #expect(error?.exitCode == .configuration)
        return try #require(error).message.split(separator: "\n")
    }

    @Test func `the environment can set values of every type`() throws {
        let merged = try DaemonConfiguration.merge(
            file: [:],
            environment: [
                "GHOSTSTORE_LIMITS_CONNECTIONS_MAX": "7", "GHOSTSTORE_CREATE_STORE": "true",
                "GHOSTSTORE_LOG_LEVEL": "debug",
                "GHOSTSTORE_ACCESS_RULES": "user:1 messages:read,messages:write;group:2 administration",
            ])
        #expect(merged.server.connectionsMax == 7)
        #expect(merged.createsStore)
        #expect(merged.logLevel == .debug)
        #expect(merged.policy.ruleCount == 2)
        #expect(
            merged.values["access.rules"] == .texts(["user:1 messages:read,messages:write", "group:2 administration"]))
    }

    @Test func `an empty variable of a list removes the file's items`() throws {
        let file: [String: SettingValue] = ["access.rules": .texts(["user:1 messages:read"])]
        let merged = try DaemonConfiguration.merge(file: file, environment: ["GHOSTSTORE_ACCESS_RULES": ""])
        #expect(merged.policy.ruleCount == 0 && merged.values["access.rules"] == .texts([]))
        #expect(try DaemonConfiguration.merge(file: file).policy.ruleCount == 1)
    }

    @Test(arguments: [
        (["GHOSTSTORE_LIMITS_CONNECTIONS_MAX": "many"], "GHOSTSTORE_LIMITS_CONNECTIONS_MAX"),
        (["GHOSTSTORE_LIMITS_CONNECTIONS_MAX": "0"], "expected 1 to 65536"),
        (["GHOSTSTORE_CREATE_STORE": "perhaps"], "true or false"),
        (["GHOSTSTORE_LOG_LEVEL": "loud"], "expected one of"),
    ])
    func `a wrong variable is rejected by name`(environment: [String: String], problem: String) {
        let error = #expect(throws: DaemonError.self) {
            try DaemonConfiguration.merge(file: [:], environment: environment)
        }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    @Test func `errors in flags are errors of the command line, reported together`() throws {
        let error = #expect(throws: DaemonError.self) {
            try DaemonConfiguration.merge(
                file: [:], flags: ["log_level": .text("loud"), "socket": .text("socket"), "key_file": .text("key")])
        }
        #expect(error?.exitCode == .usage)
        let lines = try #require(error).message.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("command line: ") }, "\(lines)")
    }

    @Test func `variables that are no settings are reported`() {
        let unknown = ConfigurationSources.unknownVariables(in: [
            "GHOSTSTORE_SOCKET": "/x", "GHOSTSTORE_SOKCET": "/x", "PATH": "/bin",
        ])
        #expect(unknown == ["GHOSTSTORE_SOKCET"])
    }

    @Test func `variables of ghoststorectl are not reported as mistyped settings`() throws {
        let page = String(decoding: try repositoryFile("docs/man/ghoststorectl.1.mdoc"), as: UTF8.self)
        let documented = Set(page.matches(of: /GHOSTSTORE_[A-Z_]+/).map { String($0.output) })
        #expect(documented == Settings.clientVariables.union(Settings.controlVariables))
        let environment = Dictionary(uniqueKeysWithValues: documented.map { ($0, "x") })
        #expect(ConfigurationSources.unknownVariables(in: environment).isEmpty)
    }

    @Test func `the printed configuration in force is read back as the same configuration`() throws {
        let merged = try DaemonConfiguration.merge(file: [
            "socket": .text("/with \"quotes\" \\ and\ttab # no comment"), "key_file": .text("/true"),
            "access.rules": .texts(["user:1 messages:read", "group:2 scenes:read:a*"]),
            "limits.reader_threads": .number(9), "create_store": .flag(true),
        ])
        let text = EffectiveConfiguration.text(merged.values)
        let again = try ConfigurationFile.values(text)
        #expect(again == merged.values)
        #expect(try DaemonConfiguration.merge(file: again) == merged)
    }

    @Test func `only settings that cannot be reloaded need a restart`() throws {
        let started = try DaemonConfiguration.merge(file: [:])
        let changed = try DaemonConfiguration.merge(file: [
            "log_level": .text("debug"), "access.rules": .texts(["user:1 messages:read"]),
            "limits.reader_threads": .number(9),
        ])
        #expect(changed.settingsNeedingRestart(comparedTo: started) == ["limits.reader_threads"])
    }

    @Test func `a rule for an unknown user is rejected`() throws {
        let accounts = AccountDirectory(user: { _ in nil }, group: { _ in nil })
        let error = #expect(throws: DaemonError.self) {
            try DaemonConfiguration.merge(
                file: ["access.rules": .texts(["user:nobody-here messages:read"])], accounts: accounts)
        }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.hasPrefix("test.yaml:3: access rule ") == true, "\(error?.message ?? "")")
    }
}
