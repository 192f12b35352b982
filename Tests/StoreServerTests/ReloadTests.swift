import Dispatch
import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

@Suite(.serialized, .timeLimit(.minutes(1))) struct ReloadTests {
    @Test func `a narrowed right ends the waiting reads that it no longer covers`() async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            let server = try UserServer([.read(.logs, nil), .write(.logs, nil)])
            let connection = try server.connect()
            for name in ["app.events", "system.events"] {
                let log = try connection.call(
                    .openLog(
                        .with {
                            $0.name = name
                            $0.maximumBytes = 1_000
                        }))
                #expect(log.openLog.log.name == name, "\(log.error)")
            }
            for (id, name) in [(UInt64(7), "app.events"), (8, "system.events")] {
                try connection.send(
                    RawConnection.request(
                        id,
                        .readLog(
                            .with {
                                $0.name = name
                                $0.waitMilliseconds = 60_000
                            })))
            }
            #expect(try connection.call(.ping(.init()), id: 9).id == 9)
            let pattern = try #require(NamePattern("app.*"))
            try server.reload([.read(.logs, pattern), .write(.logs, pattern)])
            let refused = try connection.receive()
            #expect(refused.id == 8 && refused.error.reason == "PERMISSION_DENIED")
            let append = WireRequest.OneOf_Call.appendLog(
                .with {
                    $0.name = "app.events"
                    $0.messages = [Data("one".utf8)]
                })
            try connection.send(RawConnection.request(10, append))
            let answers = [try connection.receive(), try connection.receive()]
            #expect(Set(answers.map(\.id)) == [7, 10])
            #expect(answers.allSatisfy { $0.error.reason == "" })
            try server.stop()
        }
    }

    @Test func `a watch and a waiting read behind a write do not begin after their right is removed`()
        async throws
    {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            let server = try UserServer(UserServer.everyRight)
            let connection = try server.connect()
            let log = WireOpenLogRequest.with {
                $0.name = "events"
                $0.maximumBytes = 1_000
            }
            #expect(try connection.call(.openLog(log)).error.reason == "")
            // The writer is held until the reload is done.
            let (isHeld, isReloaded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let engine = server.engine
            try OwnThread.start {
                try? engine.writer.perform { _ in
                    isHeld.signal()
                    isReloaded.wait()
                }
            }
            isHeld.wait()
            let write = WireSaveMessageRequest.with {
                $0.message.conversation.sessionID = "alice"
                $0.message.text = "first"
            }
            let wait = WireReadLogRequest.with {
                $0.name = "events"
                $0.waitMilliseconds = 60_000
            }
            try connection.send(RawConnection.request(1, .saveMessage(write)))
            try connection.send(RawConnection.request(2, .watch(WireWatchRequest())))
            try connection.send(RawConnection.request(3, .readLog(wait)))
            #expect(try connection.call(.ping(.init()), id: 4).id == 4)
            try server.reload([.write(.messages, nil)])
            isReloaded.signal()
            let answers = [try connection.receive(), try connection.receive(), try connection.receive()]
            let reasons = Dictionary(uniqueKeysWithValues: answers.map { ($0.id, $0.error.reason) })
            #expect(reasons == [1: "", 2: "PERMISSION_DENIED", 3: "PERMISSION_DENIED"])
            try server.stop()
        }
    }
}
