import FoundationEssentials
import Glibc
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

private func ping(_ id: UInt64) -> WireRequest {
    RawConnection.request(id, .ping(.init()))
}

private func save(_ text: String, id: String = "", session: String = "alice") -> WireRequest.OneOf_Call {
    .saveMessage(
        .with {
            $0.message.id = id
            $0.message.conversation.sessionID = session
            $0.message.text = text
        })
}

@Suite(.serialized) struct ServerTests {
    @Test func `pipelined writes and reads are answered and each read sees its write`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            for round in 0..<20 as Range<UInt64> {
                var requests: [WireRequest] = []
                for index in 0..<25 as Range<UInt64> {
                    let id = round * 100 + index * 2
                    requests.append(RawConnection.request(id, save("text \(id)", id: "m\(id)")))
                    requests.append(RawConnection.request(id + 1, .getMessage(.with { $0.id = "m\(id)" })))
                }
                try connection.send(requests.flatMap { RawConnection.frame($0) })
                var answered: Set<UInt64> = []
                for _ in requests {
                    let response = try connection.receive()
                    answered.insert(response.id)
                    if response.id.isMultiple(of: 2) {
                        #expect(response.commit.createdCount == 1)
                    } else {
                        #expect(response.message.text == "text \(response.id - 1)")
                    }
                }
                #expect(answered == Set(requests.map(\.id)))
            }
        }
    }

    @Test func `a million requests whose responses are not read take bounded memory`() async throws {
        try await RunningServer.with { server in
            let rude = try server.connect()
            let polite = try server.connect()
            let chunk = Array(repeatElement(RawConnection.frame(ping(1)), count: 1_000).joined())
            let before = ProcessMemory.residentBytes
            var sent = 0
            for _ in 0..<1_000 {
                let count = rude.sendWithoutWaiting(chunk)
                sent += count
                if count < chunk.count {
                    usleep(1_000)
                }
                if sent > 20_000_000 {
                    break
                }
            }
            for id in 1...100 as ClosedRange<UInt64> {
                #expect(try polite.call(.ping(.init()), id: id).id == id)
            }
            #expect(ProcessMemory.residentBytes < before + 24 << 20)
            // The daemon stopped reading, so the client could not send everything.
            #expect(sent < chunk.count * 1_000)
        }
    }

    @Test func `many requests of a reading peer are all answered`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let total = UInt64(TestTier.count(10_000, long: 50_000))
            let sender = SideWork {
                for start in stride(from: UInt64(1), through: total, by: 500) {
                    try connection.send((start..<(start + 500)).flatMap { RawConnection.frame(ping($0)) })
                }
            }
            for id in 1...total {
                #expect(try connection.receive().id == id)
            }
            try sender.finish()
        }
    }

    @Test func `a frame that is not completed in time is rejected`() async throws {
        var configuration = ServerConfiguration()
        configuration.partialFrameTimeoutSeconds = 1
        try await RunningServer.with(configuration: configuration) { server in
            let connection = try server.connect()
            try connection.send([0, 0, 0, 9, 8])
            #expect(try connection.receive().error.reason == "FRAME_TIMEOUT")
            #expect(try connection.receiveFrame() == nil)
        }
    }

    @Test func `connections above the limit are rejected with a reason`() async throws {
        var configuration = ServerConfiguration()
        configuration.connectionsMax = 3
        try await RunningServer.with(configuration: configuration) { server in
            var connections = try (0..<3).map { _ in try server.connect() }
            for connection in connections {
                _ = try connection.call(.ping(.init()))
            }
            let refused = try server.connect()
            #expect(try refused.receive().error.reason == "TOO_MANY_CONNECTIONS")
            #expect(try refused.receiveFrame() == nil)
            connections.removeLast()
            #expect(eventually { (try? server.connect().call(.ping(.init())).error.reason) == "" })
        }
    }

    @Test func `malformed frames of some peers do not affect others`() async throws {
        try await RunningServer.with { server in
            var generator = SplitMix(seed: 99)
            let polite = try server.connect()
            for round in 0..<60 as Range<UInt64> {
                let rude = try server.connect()
                let bytes = (0..<Int.random(in: 1...5_000, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                try? rude.send(
                    round.isMultiple(of: 2) ? bytes : [0, 0, UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes)
                #expect(try polite.call(.ping(.init()), id: round).id == round)
            }
        }
    }

    @Test func `connections are served while another one unlocks the store`() async throws {
        try await RunningServer.with(.locked) { server in
            let administrator = try server.connect()
            let other = try server.connect()
            try administrator.send(
                RawConnection.request(
                    1,
                    .unlock(
                        .with {
                            $0.secret.kind = .passphrase
                            $0.secret.value = Data(RunningServer.passphrase.utf8)
                        })))
            #expect(try other.call(.ping(.init()), id: 9).id == 9)
            #expect(try administrator.receive().unlock.slot == 1)
            #expect(try other.call(.getStatus(.init())).status.storeState == .open)
        }
    }

    @Test func `a recovery code of a new store opens it`() async throws {
        try await RunningServer.with(.absent) { server in
            let connection = try server.connect()
            let made = try connection.call(
                .initializeStore(
                    .with {
                        $0.secret.kind = .passphrase
                        $0.secret.value = Data("a passphrase".utf8)
                        $0.withRecoveryCode = true
                        $0.lowCost = true
                    }))
            let code = made.initializeStore.recoveryCode
            let added = try connection.call(
                .addKeySlot(
                    .with {
                        $0.secret.kind = .passphrase
                        $0.secret.value = Data("a passphrase".utf8)
                        $0.newSecret.kind = .recoveryCode
                    }))
            #expect(added.addKeySlot.recoveryCode.count == code.count, "\(added.error)")
            #expect(added.addKeySlot.recoveryCode != code)
            #expect(code.count > 20)
            _ = try connection.call(.lock(.init()))
            let unlocked = try connection.call(
                .unlock(
                    .with {
                        $0.secret.kind = .recoveryCode
                        $0.secret.value = code
                    }))
            #expect(unlocked.unlock.slot == 2, "\(unlocked.error)")
        }
    }

    @Test func `a stop answers requests in flight and then closes connections`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let watcher = try server.connect()
            #expect(try watcher.call(.watch(.init())).more)
            try connection.send(
                (1...200 as ClosedRange<UInt64>).flatMap {
                    RawConnection.frame(RawConnection.request($0, save("m", id: "m\($0)")))
                })
            _ = try connection.receive()
            server.beginStopping()
            var committed: UInt64 = 1
            while let frame = try connection.receiveFrame() {
                let response = try WireResponse(serializedBytes: Array(frame.dropFirst(4)))
                #expect(response.error.reason == "")
                committed += 1
            }
            #expect(try server.engine.statistics().messageCount >= Int(committed))
            var last = WireResponse()
            while let frame = try watcher.receiveFrame() {
                last = try WireResponse(serializedBytes: Array(frame.dropFirst(4)))
            }
            #expect(last.error.reason == "SHUTTING_DOWN")
            #expect(!last.more)
        }
    }

    @Test func `metrics count requests, errors and entities`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            _ = try connection.call(save("hello", id: "m1"))
            _ = try connection.call(.getMessage(.with { $0.id = "m1" }))
            _ = try connection.call(.getMessage(.with { $0.id = "none" }))
            let text = try connection.call(.getMetrics(.init())).metrics.text
            let lines = Set(text.split(separator: "\n").map(String.init))
            for line in [
                "ghoststore_requests_total{call=\"save_message\",outcome=\"success\"} 1",
                "ghoststore_requests_total{call=\"get_message\",outcome=\"success\"} 1",
                "ghoststore_requests_total{call=\"get_message\",outcome=\"failure\"} 1",
                "ghoststore_errors_total{reason=\"MESSAGE_NOT_FOUND\"} 1", "ghoststore_connections 1",
                "ghoststore_store_open 1", "ghoststore_messages 1",
            ] {
                #expect(lines.contains(line), "\(line)")
            }
        }
    }

    @Test func `a response that is too large for a frame is counted as an error`() async throws {
        var configuration = ServerConfiguration()
        configuration.frameBytesMax = ServerLimits.frameBytesMax.range.lowerBound
        try await RunningServer.with(configuration: configuration) { server in
            let connection = try server.connect()
            let keys = (0..<7).map { "k\($0)" }
            for key in keys {
                _ = try connection.call(
                    .setSceneValues(
                        .with {
                            $0.scene = "main"
                            $0.changes = [
                                .with {
                                    $0.key = key
                                    $0.value.data = Data(repeating: 1, count: EngineLimits.sceneValueBytesMax - 16)
                                }
                            ]
                        }))
            }
            let response = try connection.call(
                .getSceneValues(
                    .with {
                        $0.scene = "main"
                        $0.keys = keys
                    }))
            #expect(response.error.reason == "RESPONSE_TOO_LARGE")
            let text = try connection.call(.getMetrics(.init())).metrics.text
            let lines = Set(text.split(separator: "\n").map(String.init))
            for line in [
                "ghoststore_requests_total{call=\"get_scene_values\",outcome=\"success\"} 0",
                "ghoststore_requests_total{call=\"get_scene_values\",outcome=\"failure\"} 1",
                "ghoststore_errors_total{reason=\"RESPONSE_TOO_LARGE\"} 1", "ghoststore_audit_entries_total 1",
            ] {
                #expect(lines.contains(line), "\(line)")
            }
        }
    }

    @Test func `a request whose deadline has passed has no effect`() async throws {
        try await RunningServer.with(.locked) { server in
            let connection = try server.connect()
            // The unlock takes longer than the deadline of the call that waits for it.
            var late = RawConnection.request(2, save("late", id: "late"))
            late.deadlineMilliseconds = 1
            try connection.send(
                RawConnection.request(
                    1,
                    .unlock(
                        .with {
                            $0.secret.kind = .passphrase
                            $0.secret.value = Data(RunningServer.passphrase.utf8)
                        })), late, RawConnection.request(3, .getMessage(.with { $0.id = "late" })))
            #expect(try connection.receive().unlock.slot == 1)
            #expect(try connection.receive().error.reason == "DEADLINE_EXCEEDED")
            #expect(try connection.receive().error.reason == "MESSAGE_NOT_FOUND")
        }
    }

    @Test func `status counts connections`() async throws {
        try await RunningServer.with { server in
            let connections = try (0..<5).map { _ in try server.connect() }
            for connection in connections {
                _ = try connection.call(.ping(.init()))
            }
            let status = try connections[0].call(.getStatus(.init())).status
            #expect(status.connectionCount == 5)
            #expect(status.storeState == .open)
            #expect(status.protocolVersion == 1)
            #expect(status.processID > 0)
            #expect(status.databaseBytes > 0)
        }
    }
}
