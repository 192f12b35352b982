import Dispatch
import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

/// Many connections at once, and connections that close before their requests are done.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ComingAndGoingTests {
    private static let hog: UInt32 = 1_000
    private static let rights = [hog: UserServer.everyRight]

    private static func saveLargeMessage(_ server: UserServer) throws {
        let saved = try server.connect(uid: hog).call(
            .saveMessage(
                .with {
                    $0.message.conversation.sessionID = "s"
                    $0.message.text = String(repeating: "x", count: 1 << 20)
                }))
        #expect(saved.error.reason == "")
        let set = try server.connect(uid: hog).call(
            .setSceneValues(
                .with {
                    $0.scene = "scene"
                    $0.changes = ["one", "two"].map { key in
                        .with {
                            $0.key = key
                            $0.value.string = String(repeating: "x", count: 200_000)
                        }
                    }
                }))
        #expect(set.error.reason == "")
    }

    /// The frames of as many long reads as one connection may run at the same time.
    private static var longReads: [UInt8] {
        let calls: [WireRequest.OneOf_Call] = [
            .listMessages(.with { $0.conversation.sessionID = "s" }),
            .getSceneValues(.with { $0.scene = "scene" }),
            .listMessages(.with { $0.conversation.sessionID = "s" }),
            .listMessages(.with { $0.conversation.sessionID = "s" }),
        ]
        return calls.enumerated().flatMap { index, call in
            RawConnection.frame(RawConnection.request(UInt64(index) + 2, call))
        }
    }

    /// A response counts towards the memory budget from its creation until the event loop releases it. The test holds
    /// the event loop, so the budget shows whether any response was created.
    @Test func `no response is created for the reads of a closed connection`() async throws {
        try await UserServer.with(Self.rights) { server in
            try Self.saveLargeMessage(server)
            let readers = try HeldReaders(server.engine)
            let connections = try (0..<200).map { _ in try server.connect(uid: Self.hog) }
            let ping = RawConnection.frame(RawConnection.request(1, .ping(.init())))
            for connection in connections {
                try connection.send(Self.longReads + ping)
            }
            for connection in connections {
                #expect(try connection.receive().id == 1)
                connection.closeBothSides()
            }
            #expect(eventually { server.connectionCount == 0 })
            let letLoopGo = server.holdEventLoop()
            let before = server.budgetedBytes
            readers.release()
            // The connections of a user take turns. Each closed connection has at most four reads, so the sixth read of
            // this connection runs after all reads of closed connections.
            let isLast = OneShot<Bool>()
            for turn in 1...6 {
                try server.engine.readInBackground(for: WorkOwner(userID: Self.hog, connection: 1)) { _ in
                    if turn == 6 {
                        isLast.set(true)
                    }
                }
            }
            _ = isLast.wait()
            #expect(server.budgetedBytes <= before, "answers for nobody hold \(server.budgetedBytes - before) bytes")
            letLoopGo()
            #expect(eventually { server.budgetedBytes == 0 })
        }
    }

    @Test func `new connections are accepted in groups, and other requests are served in between`() async throws {
        try await RunningServer.with { server in
            let known = try server.connect()
            #expect(try known.call(.ping(.init())).error.reason == "")
            let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            server.server.askEventLoops {
                isHeld.signal()
                gate.wait()
            }
            isHeld.wait()
            // All connections arrive before the loop accepts again.
            let crowd = try (0..<120).map { _ in try server.connect() }
            try known.send(RawConnection.request(1, .getStatus(.init())))
            gate.signal()
            let atOnce = try known.receive().status.connectionCount - 1
            #expect(atOnce < 100, "\(atOnce) were let in before another connection was looked at")
            let soon = try known.call(.getStatus(.init())).status.connectionCount - 1
            #expect(soon > 50, "only \(soon) were let in before another connection was looked at again")
            for connection in crowd {
                #expect(try connection.call(.ping(.init())).error.reason == "")
            }
        }
    }
}
