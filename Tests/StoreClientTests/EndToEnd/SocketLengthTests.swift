import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

@testable import StoreClient

@Suite(.timeLimit(.minutes(1))) struct SocketLengthTests {
    /// Returns a path of exactly `count` bytes in a new folder.
    private func path(ofBytes count: Int, in directory: TemporaryDirectory) throws -> String {
        let folder = directory.file(String(repeating: "d", count: count - directory.path.utf8.count - 3))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/s"
        try #require(path.utf8.count == count)
        return path
    }

    /// SwiftNIO accepts paths of up to 103 bytes, Linux up to 107. The client must accept the longer paths, too.
    @Test(arguments: 102...107) func `a socket path that the daemon accepts is accepted by the client`(length: Int)
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = try path(ofBytes: length, in: directory)
        var options = TestDaemonOptions()
        options.moreArguments = ["--socket", path]
        let daemon = try TestDaemon.prepare(options)
        try daemon.launch()
        try await eventually("the daemon answers on \(path)", within: .seconds(30)) {
            guard let client = try? await StoreClient.connect(to: path) else { return false }
            try await client.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "hello"))
            #expect(try await client.statistics().messageCount == 1)
            await client.close()
            return true
        }
        try await daemon.kill9()
    }

    @Test func `a longer path is refused with an error that names its length`() async throws {
        let directory = try TemporaryDirectory()
        let path = try path(ofBytes: 108, in: directory)
        let error = await #expect(throws: StoreClientError.self) { _ = try await StoreClient.connect(to: path) }
        #expect(error?.reason == .invalidArgument)
        #expect(error?.message.contains("has 108 bytes; the limit for a Unix socket is 107") == true)
    }

    @Test func `connect waits for a slow daemon as long as configured`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("socket")
        let listener = try UnixSocket.listen(at: path)
        defer { close(listener) }
        var held: [Int32] = []
        defer { held.forEach { close($0) } }
        while let descriptor = try? LocalSocket.connect(to: path) {
            held.append(descriptor)
        }
        var configuration = ClientConfiguration()
        configuration.connectTimeout = .milliseconds(100)
        let start = ContinuousClock.now
        let error = await #expect(throws: StoreClientError.self) {
            _ = try await StoreClient.connect(to: path, configuration: configuration)
        }
        #expect(error?.reason == .daemonUnreachable && error?.isRetryable == true)
        #expect(error?.message.contains("does not accept connections") == true)
        #expect(ContinuousClock.now - start >= .milliseconds(100))
    }
}
