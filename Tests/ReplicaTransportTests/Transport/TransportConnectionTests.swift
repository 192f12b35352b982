import GhostTestSupport
import TestBasics
import Testing

@testable import ReplicaTransport

@Suite(.enabled(if: NatsNode.program != nil, "nats-server is not installed"), .timeLimit(.minutes(2)))
struct TransportConnectionTests {
    private static func failure(_ configuration: TransportConfiguration) async -> TransportError? {
        do {
            await (try StreamConnection.connect(configuration)).close()
            return nil
        } catch {
            return error
        }
    }

    @Test func `wrong or no credentials are refused, and an absent or malformed file is a configuration error`()
        async throws
    {
        let folder = try TemporaryDirectory()
        let cluster = try await NatsCluster.start(
            nodes: 1, more: "authorization { users: [{ user: ghost, password: right }] }")
        let right = try folder.write("ghost:right\n", to: "right")
        let connection = try await cluster.connect { $0.credentialsPath = right }
        #expect(connection.state == .connected)
        var configuration = TransportConfiguration(servers: cluster.urls)
        #expect(await Self.failure(configuration)?.code == .refused)
        configuration.credentialsPath = try folder.write("ghost:wrong", to: "wrong")
        let error = try #require(await Self.failure(configuration))
        #expect(error.code == .refused && !error.isWorthRepeating)
        #expect(!error.message.contains("wrong"))
        configuration.credentialsPath = try folder.write("neither", to: "neither")
        #expect(await Self.failure(configuration)?.code == .configuration)
        configuration.credentialsPath = folder.file("absent")
        #expect(await Self.failure(configuration)?.code == .configuration)
    }

    @Test func `unreachable servers are worth another attempt`() async throws {
        let port = try #require(FreePorts.take(1).first)
        let error = try #require(await Self.failure(TransportConfiguration(servers: ["nats://127.0.0.1:\(port)"])))
        #expect(error.code == .unreachable && error.isWorthRepeating)
        #expect(await Self.failure(TransportConfiguration(servers: []))?.code == .configuration)
        #expect(await Self.failure(TransportConfiguration(servers: ["nats://127.0.0.1:many"]))?.code == .configuration)
    }

    @Test func `a server is trusted only by its certificate and its name`() async throws {
        let folder = try TemporaryDirectory()
        let made = try await Program.shell(
            """
            set -e; cd '\(folder.path)'
            new="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
            openssl req -x509 $new -keyout ca.key -out ca.pem -days 2 -subj /CN=ghosts
            for who in server stranger client; do
              openssl req $new -keyout $who.key -out $who.csr -subj /CN=$who
              name=IP:127.0.0.1; test $who = stranger && name=DNS:elsewhere.example
              printf 'subjectAltName=%s' $name > $who.ext
              openssl x509 -req -in $who.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \\
                -extfile $who.ext -out $who.pem
            done
            openssl req -x509 $new -keyout other.key -out other.pem -days 2 -subj /CN=others
            """)
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        func start(_ who: String) async throws -> NatsCluster {
            let (certificate, key) = (folder.file("\(who).pem"), folder.file("\(who).key"))
            return try await NatsCluster.start(
                nodes: 1,
                more: """
                    tls {
                      cert_file: "\(certificate)", key_file: "\(key)"
                      ca_file: "\(folder.file("ca.pem"))", verify: true
                    }
                    """)
        }
        let cluster = try await start("server")
        func present(_ configuration: inout TransportConfiguration) {
            configuration.certificateAuthorityPath = folder.file("ca.pem")
            configuration.certificatePath = folder.file("client.pem")
            configuration.privateKeyPath = folder.file("client.key")
        }
        #expect(try await cluster.connect(present).state == .connected)
        var configuration = TransportConfiguration(servers: cluster.urls)
        present(&configuration)
        configuration.certificateAuthorityPath = folder.file("other.pem")
        let unbelieved = try #require(await Self.failure(configuration))
        #expect(unbelieved.code == .refused)
        #expect(unbelieved.message.contains("certificate could not be verified: "), "\(unbelieved.message)")
        #expect(!unbelieved.message.contains("CN="))
        present(&configuration)
        configuration.certificatePath = nil
        #expect(await Self.failure(configuration) != nil)
        present(&configuration)
        configuration.privateKeyPath = folder.file("absent")
        #expect(await Self.failure(configuration)?.code == .configuration)
        let stranger = try await start("stranger")
        try await Task.sleep(for: .milliseconds(500))
        present(&configuration)
        configuration.servers = stranger.urls
        #expect(await Self.failure(configuration)?.code == .refused)
    }
}
