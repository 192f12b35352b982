import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Searches of an application's memory, from outside, for remains of secrets. The comment of `ProcessMemory` says which
/// memory is searched.
@Suite(.timeLimit(.minutes(1))) struct RecoveryCodeMemoryTests {
    /// The number of consecutive bytes of a code that count as a find.
    private static let windowBytes = 16

    @Test(arguments: [64 << 10, 40, 20, 1])
    func `no part of a shown recovery code stays in the client's memory`(pieceBytesMax: Int) async throws {
        try await withDaemon(.uninitialized) { daemon in
            var slowly = ProxyFaults()
            slowly.pieceBytesMax = pieceBytesMax
            slowly.pauseMicroseconds = 500...500
            try await withProxy(to: daemon.socketPath, faults: slowly, seed: 1) { proxy in
                let (memory, directory, planted) = try await Self.memoryAfterShowing(proxy)
                #expect(memory.byteCount > 1 << 20)
                #expect(memory.count(of: planted) > 0, "what is there is not found")
                for name in ["code-1", "code-2", "passphrase"] {
                    let secret = Array(directory.read(name).utf8.prefix { $0 != UInt8(ascii: "\n") })
                    #expect(secret.count >= 26, "\(name) was not shown")
                    #expect(memory.count(of: secret) == 0, "\(name) as a whole")
                    for start in 0...max(0, secret.count - Self.windowBytes) {
                        let window = Array(secret[start..<min(start + Self.windowBytes, secret.count)])
                        #expect(memory.count(of: window) == 0, "\(name), bytes from \(start)")
                    }
                }
            }
        }
    }

    /// Runs the probe until it has shown its codes, and returns its memory.
    private static func memoryAfterShowing(
        _ proxy: FaultyProxy
    ) async throws -> (ProcessMemory, TemporaryDirectory, planted: [UInt8]) {
        let directory = try TemporaryDirectory()
        var random = SystemRandomNumberGenerator()
        let passphrase = (0..<32).map { _ in UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &random) }
        try directory.write(passphrase, to: "passphrase")
        let planted = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let hexadecimal = planted.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let probe = try Program.launch(
            BuiltPrograms.path("recovery-code-probe"), [proxy.socketPath, directory.path, hexadecimal],
            writingTo: directory)
        try await eventually("the codes are shown") {
            guard probe.isRunning else { throw TestSupportError("the probe ended: \(directory.read("err"))") }
            return directory.exists("ready")
        }
        let memory = try ProcessMemory(processID: probe.id)
        try await probe.kill9()
        return (memory, directory, planted)
    }
}
