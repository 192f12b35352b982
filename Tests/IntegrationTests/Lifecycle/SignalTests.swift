import GhostTestSupport
import Glibc
import StoreClient
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

/// Signals to a daemon that is serving clients.
@Suite(.oneAtATime) struct SignalTests {
    @Test func `after SIGTERM the daemon answers accepted writes, exits with 0 and removes its socket`() async throws {
        try await withDaemon { daemon in
            let path = daemon.socketPath
            let writers = (0..<4).map { number in
                CrashWriter(conversation: "05stop\(number)", idPrefix: "s\(number)-", depth: 4, seed: UInt64(number))
            }
            let logs = try await withThrowingTaskGroup(of: CrashWriter.Log.self) { group in
                for writer in writers {
                    group.addTask { try await onThread { try writer.run(path) } }
                }
                try await Task.sleep(for: .milliseconds(300))
                #expect(try await daemon.terminate() == .exited(0))
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(access(path, F_OK) != 0, "the socket is still there")
            #expect(StateFiles.size(daemon.databasePath + "-wal") == 0, "the WAL was not written back")
            try await daemon.startAgain()
            let client = try await daemon.connect()
            let verification = CrashVerification(client: client, socketPath: path)
            for log in logs {
                #expect(log.answeredCount > 0)
                // Requests that were rejected during the stop have no effect, like requests that were never answered.
                #expect(log.refusals.allSatisfy { $0 == "SHUTTING_DOWN" })
                _ = try verification.outcome(of: log, found: try await verification.found(in: log.writer.conversation))
            }
            try await client.expectClean()
            await client.close()
        }
    }

    @Test func `SIGUSR1 locks the store, and the key file opens it again`() async throws {
        try await withDaemonAndClient { daemon, client in
            _ = try await client.saveMessage(NewMessage(id: "one", conversation: .sessionID("05one"), text: "one"))
            daemon.child?.signal(SIGUSR1)
            try await eventually("the store is locked") { try await client.status().storeState == .locked }
            try await eventually("reads are refused") {
                try await reason { _ = try await client.message("one") } == .storeLocked
            }
            #expect(try await client.unlock(secret: SecretInput(kind: .keyFile, file: daemon.keyFilePath)) >= 0)
            #expect(try await client.message("one").text == "one")
        }
    }

    @Test func `SIGUSR1 ends watches and reads that wait for a log`() async throws {
        try await withDaemonAndClient { daemon, _ in
            let connection = try RawConnection(daemon.socketPath)
            _ = try connection.call(
                .openLog(
                    .with {
                        $0.name = "events"
                        $0.maximumBytes = 1_000
                    }))
            let wait = WireReadLogRequest.with {
                $0.name = "events"
                $0.waitMilliseconds = 60_000
            }
            try connection.send(8, .readLog(wait))
            #expect(try connection.call(.watch(WireWatchRequest()), id: 9).more)
            daemon.child?.signal(SIGUSR1)
            let ends = try await onThread { try [connection.receive(), connection.receive()] }
            #expect(Set(ends.map(\.?.id)) == [8, 9])
            #expect(ends.allSatisfy { $0?.reason == "STORE_LOCKED" && $0?.more == false })
        }
    }

    @Test func `SIGHUP disturbs no connection`() async throws {
        try await withDaemonAndClient { daemon, client in
            let before = try await client.status()
            for number in 1...20 {
                daemon.child?.signal(SIGHUP)
                _ = try await client.saveMessage(NewMessage(conversation: .sessionID("05hup"), text: "\(number)"))
            }
            let after = try await client.status()
            #expect(after.processID == before.processID)
            #expect(try await client.statistics().messageCount == 20)
        }
    }

    @Test func `a socket left by kill -9 does not prevent the next daemon from serving`() async throws {
        try await withDaemonAndClient { daemon, client in
            _ = try await client.saveMessage(NewMessage(id: "one", conversation: .sessionID("05one"), text: "one"))
            try await daemon.kill9()
            #expect(access(daemon.socketPath, F_OK) == 0)
            try await daemon.startAgain()
            // The client connects to the new daemon by itself.
            #expect(try await client.message("one").text == "one")
        }
    }
}
