import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

/// The connections that get_status lists, for each kind of caller.
@Suite(.timeLimit(.minutes(2))) struct ConnectedClientTests {
    private static let other: UInt32 = 1_001
    private static let stranger: UInt32 = 1_002

    private static func status(_ connection: RawConnection, withClients: Bool = true) throws -> WireStatus {
        try connection.call(.getStatus(.with { $0.withClients = withClients })).status
    }

    private static func with(
        _ rights: [AccessRight], _ body: @escaping @Sendable (UserServer, RawConnection, RawConnection) throws -> Void
    ) async throws {
        try await UserServer.with([UserServer.uid: rights, other: [.read(.metrics, nil)]]) { server in
            let first = try server.connect()
            _ = try first.call(.hello(.with { $0.clientName = "first" }))
            try body(server, first, server.connect(uid: other))
        }
    }

    @Test func `an administrator gets the connections of every user`() async throws {
        try await Self.with([.administration]) { _, first, second in
            _ = try second.call(.hello(.with { $0.clientName = "second" }))
            _ = try second.call(.ping(WirePingRequest()))
            let clients = try Self.status(first).clients
            #expect(clients.map(\.clientName) == ["first", "second"])
            #expect(clients.map(\.uid) == [UserServer.uid, Self.other] && clients.map(\.processID) == [1, 1])
            #expect(clients.map(\.requestCount) == [2, 2])
            #expect(clients.allSatisfy { $0.connectedAtMicroseconds > 0 && $0.watchCount == 0 })
            let unasked = try Self.status(first, withClients: false).clients
            #expect(unasked.isEmpty)
        }
    }

    @Test func `a closed connection is not listed`() async throws {
        try await UserServer.with([UserServer.uid: [.administration]]) { server in
            let first = try server.connect()
            do {
                let second = try server.connect()
                _ = try second.call(.ping(WirePingRequest()))
                let both = try Self.status(first).clients
                #expect(both.count == 2)
            }
            let hasGone = try eventually { try Self.status(first).clients.count == 1 }
            #expect(hasGone)
        }
    }

    @Test func `another user gets only its own connections, and a user without rights gets none`() async throws {
        try await Self.with([.read(.contacts, nil)]) { server, first, second in
            let ofFirst = try Self.status(first).clients
            #expect(ofFirst.map(\.uid) == [UserServer.uid])
            let ofSecond = try Self.status(second).clients
            #expect(ofSecond.map(\.uid) == [Self.other])
            let ofStranger = try Self.status(try server.connect(uid: Self.stranger)).clients
            #expect(ofStranger.isEmpty)
        }
    }

    @Test func `only root and the daemon's own user get the path of the state directory`() async throws {
        let everything = UserServer.everyRight
        try await UserServer.with([UserServer.uid: everything]) { server in
            let forOthers = try Self.status(server.connect()).stateDirectory
            let forRoot = try Self.status(server.connect(uid: 0)).stateDirectory
            #expect(forOthers.isEmpty)
            #expect(forRoot.hasPrefix("/"))
        }
    }
}
