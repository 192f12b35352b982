import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// The peer at the socket does not behave like the daemon.
@Suite(.timeLimit(.minutes(1))) struct OddPeerTests {
    /// Runs a command with a peer that answers every connection with the same bytes.
    private func withPeer(
        answering bytes: [UInt8], _ arguments: [String] = ["status"]
    ) async throws -> ProgramResult {
        let directory = try TemporaryDirectory()
        let answer = try directory.write(bytes, to: "answer")
        let socket = directory.file("peer")
        let script = """
            socat UNIX-LISTEN:'\(socket)',fork SYSTEM:'cat \(answer); sleep 5' & peer=$!
            until [ -S '\(socket)' ]; do sleep 0.01; done
            "$CTL" \(arguments.joined(separator: " ")) --timeout 2 --socket '\(socket)'; status=$?
            kill $peer; exit $status
            """
        return try await Program.shell(script, environment: ["CTL": Control.path])
    }

    @Test(arguments: ["/etc/passwd", "/dev/null", "/"])
    func `an error says that a path is no socket`(_ path: String) async throws {
        let result = try await Control.run(["status", "--socket", path])
        #expect(result.exitCode == 69, "\(result.errorOutput)")
        #expect(result.errorOutput.contains("is not a socket"), "\(result.errorOutput)")
    }

    @Test func `another server is not mistaken for the daemon`() async throws {
        let result = try await withPeer(answering: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        #expect(result.exitCode == 69, "\(result.errorOutput)")
        #expect(result.errorOutput.contains("is not ghoststored"), "\(result.errorOutput)")
    }

    /// Returns a response to the first request: `id: 1 error { code: 13 reason: "ODD…" message: "…" }`.
    private static func errorFrame(
        message: String, reason: String, code: UInt8 = 13, id: UInt8 = 1
    ) -> [UInt8] {
        func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(bytes.count)] + bytes }
        let error = [0x08, code] + field(2, Array(reason.utf8)) + field(3, Array(message.utf8))
        let payload = [0x08, id] + field(9, error)
        return [0, 0, 0, UInt8(payload.count)] + payload
    }

    @Test(arguments: [["status"], ["status", "--json"]])
    func `escape sequences in an error are not written to the terminal`(_ arguments: [String]) async throws {
        let frame = Self.errorFrame(message: "odd \u{1B}[2J\u{9B}5m\u{202E}", reason: "ODD\u{1B}]0;x\u{07}")
        let result = try await withPeer(answering: frame, arguments)
        #expect(result.exitCode == 70, "\(result.errorOutput)")
        #expect(result.errorOutput.contains("odd "), "\(result.errorOutput)")
        #expect(
            !result.errorOutput.unicodeScalars.contains { scalar in
                (scalar.value < 0x20 && scalar != "\n") || (0x7F...0x9F).contains(scalar.value)
            })
    }

    @Test func `an error without a message is reported with the request`() async throws {
        try await withControl { control, _ in
            let directory = try TemporaryDirectory()
            let listener = try UnixSocket.listen(at: directory.file("peer"))
            defer { close(listener) }
            // Passes on the daemon's greeting, and answers the next request with an error that has neither message nor
            // reason.
            try OwnThread.start {
                do {
                    guard let socket = UnixSocket.accept(listener) else { return }
                    let client = RawConnection(descriptor: socket)
                    let daemon = try RawConnection(control.socketPath)
                    try daemon.send(try #require(try client.receiveFrame()))
                    try client.send(try #require(try daemon.receiveFrame()))
                    // The payload begins with the request's id: its tag and a small number.
                    let request = try #require(try client.receiveFrame())
                    try client.send(Self.errorFrame(message: "", reason: "", code: 5, id: request[5]))
                    _ = try? client.receiveFrame()
                } catch {
                    Issue.record(error)
                }
            }
            let result = try await control.run("messages", "get", "m1", "--socket", directory.file("peer"))
            #expect(result.exitCode == 2 && result.errorOutput.contains("m1"), "\(result)")
        }
    }
}
