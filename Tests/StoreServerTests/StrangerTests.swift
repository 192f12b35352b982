import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

/// A caller without any rights, which may still connect.
@Suite(.serialized, .timeLimit(.minutes(1))) struct StrangerTests {
    private static let known: UInt32 = 1_000
    private static let stranger: UInt32 = 1_001
    private static let words = ["BLOB": "0", "WRITTEN": "0", "BACKUP": "none", "UPLOAD": "none", "SLOT": "99"]

    /// A stranger must not learn which history the store has, or that its history has changed.
    @Test func `no response to a caller without rights depends on the history of the store`() async throws {
        try await UserServer.with([Self.known: [.read(.contacts, nil)]]) { server in
            let history = try server.engine.statistics().history.bytes
            let other = history.map { $0 ^ 1 }
            let connection = try server.connect(uid: Self.stranger)
            for (index, json) in AccessCalls.all.enumerated() {
                var request = try AccessCalls.request(json, id: UInt64(index + 1), Self.words)
                var answers: [WireResponse] = []
                for named in [[], history, other] {
                    request.historyID = Data(named)
                    try connection.send(request)
                    answers.append(try connection.receive())
                    let bytes: [UInt8] = try #require(answers.last).serializedBytes()
                    #expect(!bytes.contains(history), "\(json)")
                }
                #expect(Set(answers).count == 1, "\(json) was answered \(answers)")
            }
            // A caller with any right receives the history, and a request with another history fails.
            let knowing = try server.connect(uid: Self.known)
            #expect(try knowing.call(.hello(.init())).hello.historyID == Data(history))
            #expect(try knowing.call(.getStatus(.init())).status.historyID == Data(history))
            var ping = RawConnection.request(1, .ping(.init()))
            ping.historyID = Data(other)
            try knowing.send(ping)
            #expect(try knowing.receive().error.reason == "HISTORY_CHANGED")
        }
    }

    /// `auto_lock_seconds` counts from the last use of the store.
    @Test func `calls without rights do not count as use of the store`() async throws {
        try await UserServer.with([Self.known: [.read(.contacts, nil)]]) { server in
            let connection = try server.connect(uid: Self.stranger)
            #expect(eventually { server.engine.status.idleSeconds >= 2 })
            for (index, json) in AccessCalls.all.enumerated() {
                try connection.send(try AccessCalls.request(json, id: UInt64(index + 1), Self.words))
                _ = try connection.receive()
            }
            #expect(server.engine.status.idleSeconds >= 2)
            // Ending a session that does not exist does not count as use either, even if the caller has rights.
            let knowing = try server.connect(uid: Self.known)
            #expect(try knowing.call(.endBlobSession(.with { $0.session = 1 })).error.reason == "")
            #expect(server.engine.status.idleSeconds >= 2)
            #expect(try knowing.call(.listContacts(.init())).error.reason == "")
            #expect(server.engine.status.idleSeconds < 2)
        }
    }
}
