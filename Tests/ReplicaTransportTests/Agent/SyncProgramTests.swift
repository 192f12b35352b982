import FoundationEssentials
import GhostTestSupport
import Glibc
import ReplicaTransport
import StoreBasics
import TestBasics
import Testing

@testable import ghoststore_sync

/// Tests the built ghoststore-sync and the documents that describe its settings and metrics.
@Suite struct SyncProgramTests {
    private static func run(_ arguments: [String]) async throws -> ProgramResult {
        try await Program.run(BuiltPrograms.path("ghoststore-sync"), arguments)
    }

    @Test func `the template names every key with its default`() throws {
        let text = try String(
            contentsOfFile: BuiltPrograms.packageDirectory + "/config/ghoststore-sync.yaml", encoding: .utf8)
        let file = SyncConfigurationFile(Array(text.utf8), path: "template")
        #expect(file.problems == [])
        for setting in SyncSetting.allCases {
            #expect(file.value(setting) == setting.defaultValue, "\(setting.rawValue)")
            let name = setting.rawValue.split(separator: ".").last ?? ""
            #expect(text.contains("\n\(setting.rawValue.contains(".") ? "  " : "")\(name): "), "\(setting.rawValue)")
        }
    }

    @Test func `the option --check-config prints the settings in a form that can be read again`() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(
            """
            socket: /run/it's/socket
            nats:
              servers: [tls://one:4222, nats://two:4222]
            stream: {name: family, replicas: 5, bytes_max: 1000000}
            """, to: "a.yaml")
        let first = try await Self.run(["--config", path, "--check-config"])
        #expect(first.exitCode == 0, "\(first.errorOutput)")
        let again = try folder.write(first.output, to: "b.yaml")
        #expect(try await Self.run(["--config", again, "--check-config"]).output == first.output)
    }

    @Test func `every mistake is reported with its line, and nothing starts`() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(
            """
            socket: relative
            nats:
              servers: [tls://one:4222, tls://user:word@two:4222]
            stream:
              name: a.b
              replicas: 2
              adjust: maybe
              age_seconds_max: 60
            other: 1
            """, to: "a.yaml")
        let result = try await Self.run(["--config", path])
        #expect(result.exitCode == ExitCode.configuration.rawValue)
        for line in [1, 3, 5, 6, 7, 8, 9] {
            #expect(result.errorOutput.contains("ghoststore-sync: \(path):\(line): "), "\(result.errorOutput)")
        }
        #expect(result.errorOutput.contains(":3: address 2 of nats.servers contains a name or a password"))
        #expect(result.errorOutput.contains("stream.age_seconds_max is 60, less than stream.duplicate_window_seconds"))
        #expect(!result.errorOutput.contains("user:") && !result.errorOutput.contains("nats.servers is empty"))
        #expect(try await Self.run(["--config", folder.file("absent")]).exitCode == ExitCode.configuration.rawValue)
        #expect(try await Self.run(["--unknown"]).exitCode == ExitCode.usage.rawValue)
        #expect(try await Self.run(["--version"]).output == "ghoststore-sync \(ProjectVersion.text)\n")
    }

    /// Checks docs/replication.md: it contains every key and metric, and nats-server accepts its configuration.
    @Test func `the document names every key and metric`() async throws {
        let text = try String(
            contentsOfFile: BuiltPrograms.packageDirectory + "/docs/replication.md", encoding: .utf8)
        for setting in SyncSetting.allCases {
            #expect(text.contains("`\(setting.rawValue)`"), "\(setting.rawValue)")
        }
        for gauge in AgentFigures.Gauge.allCases {
            #expect(text.contains("`\(gauge.rawValue)`"), "\(gauge.rawValue)")
        }
        for total in AgentFigures.Total.allCases {
            #expect(text.contains("`\(total.rawValue)_total`"), "\(total.rawValue)")
        }
        guard let program = NatsNode.program else { return }
        let folder = try TemporaryDirectory()
        let blocks = text.split(separator: "```text\n").dropFirst().compactMap { $0.split(separator: "```").first }
        let block = try #require(blocks.first { $0.contains("server_name: ") })
        let configuration = try folder.write(
            String(block).replacing("/etc/nats", with: folder.path), to: "nats-server.conf")
        let made = try await Program.shell(
            """
            cd '\(folder.path)' && openssl req -x509 -newkey rsa:2048 -nodes -keyout n1.key -out n1.pem -days 2 \
              -subj /CN=n1 && cp n1.pem ca.pem && '\(program)' -c '\(configuration)' -t
            """)
        #expect(made.exitCode == 0, "\(made.errorOutput)")
    }

    @Test(.enabled(if: NatsNode.program != nil, "nats-server is not installed"))
    func `the agent creates the stream, writes metrics, and stops when asked`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1, more: "authorization { users: [{ user: a, password: b }] }")
        let folder = try TemporaryDirectory()
        try folder.write("a:b\n", to: "nats-credentials")
        let path = try folder.write(
            """
            metrics_file: \(folder.file("metrics.prom"))
            nats:
              servers: [\(cluster.urls.joined(separator: ", "))]
            stream: {name: family, replicas: 1}
            """, to: "a.yaml")
        let program = try RunningProgram(
            BuiltPrograms.path("ghoststore-sync"), ["--config", path],
            environment: ["CREDENTIALS_DIRECTORY": folder.path])
        try await eventually("the stream is made") { program.errorOutput.contains("the stream was created") }
        try await eventually("metrics are written") { folder.read("metrics.prom").hasSuffix("\n") }
        #expect(folder.read("metrics.prom").contains("\nghoststore_sync_connected "))
        program.signal(SIGTERM)
        #expect(try await program.wait(within: .seconds(10)).exitCode == 0)
        let connection = try await cluster.connect { $0.credentialsPath = folder.file("nats-credentials") }
        #expect(try await connection.standing(of: "family").messages == 0)
    }
}
