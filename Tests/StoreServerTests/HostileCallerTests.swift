import Dispatch
import FoundationEssentials
import Glibc
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

/// Attacks by one user, and their effect on another user.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HostileCallerTests {
    private static let hog: UInt32 = 1_000
    private static let victim: UInt32 = 1_001
    private static let rights = [hog: UserServer.everyRight, victim: UserServer.everyRight]

    /// A budget of 24 MiB, of which one user may use half.
    private static var small: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.frameBytesMax = 6 << 20
        configuration.memoryBytesMax = 24 << 20
        return configuration
    }

    private static func save(_ count: Int, textBytes: Int, id: UInt64 = 1) -> [UInt8] {
        let text = String(repeating: "x", count: textBytes)
        let request = RawConnection.request(
            id,
            .saveMessages(
                .with {
                    $0.messages = (0..<count).map { index in
                        .with {
                            $0.conversation.sessionID = "s"
                            $0.text = text
                        }
                    }
                }))
        return RawConnection.frame(request)
    }

    /// Saves 1 MiB as the victim and reads it back.
    private static func useStore(_ server: UserServer) throws {
        let connection = try server.connect(uid: victim)
        let saved = try connection.call(
            .saveMessage(
                .with {
                    $0.message.id = "large"
                    $0.message.conversation.sessionID = "victim"
                    $0.message.text = String(repeating: "x", count: 1 << 20)
                }))
        #expect(saved.error.reason == "")
        let listed = try connection.call(
            .listMessages(.with { $0.conversation.sessionID = "victim" }))
        #expect(listed.messages.messages.count == 1, "\(listed.error)")
    }

    private static func expectNothingHeld(_ server: UserServer) {
        #expect(eventually { server.connectionCount == 0 })
        #expect(eventually { server.budgetedBytes == 0 }, "\(server.budgetedBytes) bytes are held")
    }

    @Test(arguments: [4, 300_000]) func `incomplete frames take at most one user's share of memory`(
        sentBytes: Int
    ) async throws {
        try await UserServer.with(Self.rights, configuration: Self.small) { server in
            let hogs = try (0..<80).map { _ in try server.connect(uid: Self.hog) }
            let start: [UInt8] = [0, 0x60, 0, 0] + [UInt8](repeating: 0, count: sentBytes - 4)
            for connection in hogs {
                _ = connection.sendWithoutWaiting(start)
            }
            // Waits until the daemon has read everything that was sent, or as much as the user's share allows.
            #expect(
                eventually { hogs.allSatisfy { $0.unreadBytes == 0 } || server.budgetedBytes >= 8 << 20 })
            #expect(server.budgetedBytes <= 14 << 20)
            for _ in 0..<3 {
                try Self.useStore(server)
            }
            withExtendedLifetime(hogs) {}
        }
    }

    @Test func `large frames of one user that do not fit together are all served`() async throws {
        try await UserServer.with(Self.rights, configuration: Self.small) { server in
            let frame = Self.save(4, textBytes: 600_000)
            let work = try (0..<5).map { _ in
                let connection = try server.connect(uid: Self.hog)
                return SideWork {
                    try connection.send(frame)
                    let answer = try connection.receive()
                    #expect(answer.commit.createdCount == 4, "\(answer.error)")
                }
            }
            try Self.useStore(server)
            for side in work {
                try side.finish()
            }
            Self.expectNothingHeld(server)
        }
    }

    @Test func `many small entries count with the memory that they take after decoding`() async throws {
        try await UserServer.with(Self.rights, configuration: Self.small) { server in
            let frame = Self.save(256, textBytes: 1)
            // The writer is held after the first commit, so that later requests wait in memory.
            let gate = DispatchSemaphore(value: 0)
            let observation = server.engine.observeCommits { _ in
                gate.wait()
                gate.signal()
            }
            defer { observation.cancel() }
            let work = try (0..<12).map { _ in
                let connection = try server.connect(uid: Self.hog)
                return SideWork {
                    for _ in 0..<4 {
                        try connection.send(frame)
                    }
                    for _ in 0..<4 {
                        let answer = try connection.receive()
                        #expect(answer.commit.createdCount == 256, "\(answer.error)")
                    }
                }
            }
            // Each frame has 3 kB. The requests that are decoded from all frames take 6 MiB together.
            #expect(eventually { server.budgetedBytes > 3 << 20 }, "\(server.budgetedBytes)")
            #expect(server.budgetedBytes <= 14 << 20)
            gate.signal()
            for side in work {
                try side.finish()
            }
            try Self.useStore(server)
            Self.expectNothingHeld(server)
        }
    }

    @Test func `unread responses cost their user its oldest connections and affect no other user`() async throws {
        try await UserServer.with(Self.rights, configuration: Self.small) { server in
            try Self.useStore(server)
            let hogs = try (0..<60).map { _ in try server.connect(uid: Self.hog) }
            for connection in hogs {
                try connection.send(
                    (1...8 as ClosedRange<UInt64>).flatMap {
                        RawConnection.frame(
                            RawConnection.request($0, .listMessages(.with { $0.conversation.sessionID = "victim" })))
                    })
            }
            #expect(eventually { server.connectionCount < 60 })
            #expect(server.budgetedBytes <= 24 << 20)
            for _ in 0..<3 {
                try Self.useStore(server)
            }
            // The remaining connections are served, although some of their earlier requests found no memory.
            let served = hogs.filter { hog in
                (1...8).contains { _ in (try? hog.receive().messages.messages.count) == 1 }
            }
            #expect(!served.isEmpty)
        }
    }

    @Test func `requests of closed connections release their memory`() async throws {
        try await UserServer.with(Self.rights, configuration: Self.small) { server in
            let frame = Self.save(256, textBytes: 400)
            let kept = try server.connect(uid: Self.hog)
            try kept.send(frame)
            #expect(try kept.receive().commit.createdCount == 256)
            try kept.send(frame.dropLast(1_000))
            #expect(eventually { server.budgetedBytes > 50_000 })
            for _ in 0..<20 {
                let connection = try server.connect(uid: Self.hog)
                _ = connection.sendWithoutWaiting(frame + frame.dropLast(1_000))
                let other = try server.connect(uid: Self.hog)
                try other.send(frame)
            }
            kept.closeSendingSide()
            Self.expectNothingHeld(server)
            try Self.useStore(server)
        }
    }

    /// Measures the flood's progress by the number of its requests instead of by time.
    @Test func `a flood of short requests delays others by at most one turn of each connection`() async throws {
        try await UserServer.with(Self.rights) { server in
            let pings = (1...4_000 as ClosedRange<UInt64>).flatMap {
                RawConnection.frame(RawConnection.request($0, .ping(.init())))
            }
            let victim = try server.connect(uid: Self.victim)
            for _ in 0..<5 {
                let flood = try (0..<50).map { _ in try server.connect(uid: Self.hog) }
                for connection in flood {
                    _ = connection.sendWithoutWaiting(pings)
                }
                let before = server.answered(.ping)
                #expect(try victim.call(.getStatistics(.init())).error.reason == "")
                let passed = server.answered(.ping) - before
                // If the daemon read from each connection once before it answered the victim, it would read 50 times 32
                // KiB, which is about 100,000 pings.
                #expect(passed < 25_000, "\(passed) requests of the flood came first")
            }
        }
    }

    /// After a half-close, the transport reads all remaining bytes at once, whether the daemon asked for them or not.
    @Test func `bytes sent before a half-close stay within the user's share of memory`() async throws {
        try await UserServer.with(Self.rights, configuration: Self.small) { server in
            let pings = (1...20_000 as ClosedRange<UInt64>).flatMap {
                RawConnection.frame(RawConnection.request($0, .ping(.init())))
            }
            // Each of the 240 connections sends until its socket is full. This is more than the daemon reads from one
            // connection before the peer reads its responses. All connections together send more than the daemon's
            // memory budget.
            let hogs = try (0..<240).map { _ in try server.connect(uid: Self.hog) }
            for connection in hogs {
                while connection.sendWithoutWaiting(pings) == pings.count {}
            }
            for connection in hogs {
                connection.closeSendingSide()
            }
            var most = 0
            for _ in 0..<20 {
                most = max(most, server.budgetedBytes)
                usleep(5_000)
            }
            #expect(most <= 24 << 20, "\(most) bytes are held")
            try Self.useStore(server)
        }
    }

    /// Each ping is answered separately, and each response has its own buffer until the peer reads it.
    @Test func `unread small responses take little more memory than their bytes`() async throws {
        try await UserServer.with([:]) { server in
            let ping = RawConnection.frame(RawConnection.request(1, .ping(.init())))
            let burst = [[UInt8]](repeating: ping, count: 5_000).flatMap { $0 }
            let before = ProcessMemory.residentBytes
            let reading = try server.connect(uid: Self.victim)
            let silent = try (0..<8).map { _ in try server.connect(uid: Self.hog) }
            var sent = [Int](repeating: 0, count: silent.count)
            for round in 0..<TestTier.count(2_000, long: 5_000) {
                // Large bursts make the buffers for responses grow.
                if round % 500 == 0 {
                    try reading.send(burst)
                    for _ in 0..<5_000 {
                        _ = try reading.receiveFrame()
                    }
                }
                for (index, connection) in silent.enumerated()
                where connection.sendWithoutWaiting(ping) == ping.count {
                    sent[index] += 1
                }
            }
            #expect(eventually { silent.allSatisfy { $0.unreadBytes == 0 } })
            let grown = Int(ProcessMemory.residentBytes) - Int(before)
            #expect(grown < 24 << 20, "\(grown >> 10) KiB for 30 KB of answers on each of 8 connections")
            // No response is lost.
            for (connection, count) in zip(silent, sent) {
                for _ in 0..<count {
                    #expect(try connection.receive().id == 1)
                }
            }
            #expect(sent.allSatisfy { $0 > 1_000 }, "\(sent)")
        }
    }

    @Test func `a stop during requests releases their memory`() async throws {
        for round in 0..<5 {
            try await UserServer.with(Self.rights, configuration: Self.small) { server in
                let frames = (1...100 as ClosedRange<UInt64>).flatMap { Self.save(1, textBytes: 200, id: $0) }
                for _ in 0..<8 {
                    _ = try server.connect(uid: Self.hog).sendWithoutWaiting(frames)
                }
                usleep(useconds_t(round * 500))
                try server.endConnections()
                #expect(eventually { server.budgetedBytes == 0 }, "\(server.budgetedBytes) bytes are held")
            }
        }
    }

    @Test func `an idle connection of a caller without rights is closed after a short time`() async throws {
        var configuration = ServerConfiguration()
        configuration.strangerTimeoutSeconds = 1
        try await UserServer.with(Self.rights, configuration: configuration) { server in
            let known = try server.connect(uid: Self.victim)
            let stranger = try server.connect(uid: 5)
            #expect(try stranger.call(.ping(.init())).error.reason == "")
            #expect(try stranger.receiveFrame() == nil)
            #expect(try known.call(.ping(.init())).error.reason == "")
            try server.reload([])
            #expect(try known.receiveFrame() == nil, "who has no right any more is a stranger")
        }
    }
}
