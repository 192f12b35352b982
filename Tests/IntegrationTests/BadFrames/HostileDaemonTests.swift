import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Attacks by one caller on the daemon with its default limits.
@Suite(.oneAtATime) struct HostileDaemonTests {
    @Test func `more connections than the daemon has descriptors do not keep it busy`() async throws {
        try await withDaemon { daemon in
            let processID = try #require(daemon.processID)
            let first = try RawConnection(daemon.socketPath)
            let limited = try await Program.run("/usr/bin/prlimit", ["--pid", "\(processID)", "--nofile=48:48"])
            try #require(limited.exitCode == 0, "\(limited.errorOutput)")
            let connections = try (0..<100).map { _ in try RawConnection(daemon.socketPath) }
            try await Task.sleep(for: .milliseconds(200))
            let before = try daemon.processorTicks
            // The length of the measurement in hundredths of a second. The kernel counts 100 ticks in a second.
            let hundredths = TestTier.count(40, long: 100)
            try await Task.sleep(for: .milliseconds(hundredths * 10))
            #expect(try daemon.processorTicks - before < hundredths * 3 / 10)
            withExtendedLifetime((first, connections)) {}
        }
    }

    /// Deriving a key from a passphrase needs much memory. The daemon derives one key at a time and frees the memory
    /// afterwards.
    @Test func `sealing several files at the same time uses the memory of one key derivation`() async throws {
        try await withDaemonAndClient { daemon, client in
            _ = try await client.saveMessage(NewMessage(conversation: .sessionID("05s"), text: "text"))
            let path = try daemon.directory.write("some long words", to: "passphrase")
            let before = daemon.residentBytes
            let sealed = try await daemon.largestGrowth {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            let secret = try SecretInput(kind: .passphrase, file: path)
                            let export = try await client.beginBlobExport(
                                of: .sessionID("05s"), seal: .passphrase(secret, lowCost: false))
                            try await client.endBlobSession(export.session)
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(sealed.bytes > 48 << 20, "the derivation was not seen: \(sealed.bytes)")
            #expect(sealed.bytes < 80 << 20, "\(sealed.bytes >> 20) MiB more")
            #expect(daemon.residentBytes - before < 24 << 20)
        }
    }
}
