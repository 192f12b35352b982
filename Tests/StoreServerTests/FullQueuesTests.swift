import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

/// One user has as many waiting requests as it may have, and then another user arrives.
@Suite(.timeLimit(.minutes(2))) struct FullQueuesTests {
    private static let hog: UInt32 = 1_000
    private static let victim: UInt32 = 1_001
    private static let rights = [hog: UserServer.everyRight, victim: UserServer.everyRight]
    private static let watchesMax = 40

    /// An engine whose threads are all busy until the test releases them.
    private struct HeldEngine {
        private let gate = OneShot<Bool>()
        private let readers: HeldReaders

        init(_ engine: StoreEngine) throws {
            let gate = gate
            readers = try HeldReaders(engine)
            let isBlobThreadHeld = OneShot<Bool>()
            engine.performBlobCommand(.end(BlobSessionID(number: 1)), userID: 1) { _ in
                isBlobThreadHeld.set(true)
                _ = gate.wait()
            }
            _ = isBlobThreadHeld.wait()
            let isWriterHeld = OneShot<Bool>()
            try OwnThread.start {
                try? engine.writer.perform { _ in
                    isWriterHeld.set(true)
                    _ = gate.wait()
                }
            }
            _ = isWriterHeld.wait()
        }

        func release() {
            readers.release()
            gate.set(true)
        }
    }

    /// Submits requests until the engine rejects them because its queue is full.
    private static func fill(_ engine: StoreEngine) throws {
        let answers = Answers()
        let owner = WorkOwner(userID: hog, connection: 1)
        let save = Mutation.saveContact(ContactUpdate(sessionID: SessionID(trusted: "c")))
        while answers.queueFullCount == 0 {
            // The large requests use up the allowed bytes. The small requests after them use up the allowed number of
            // requests.
            engine.submit(WriteRequest(save, owner: owner, byteCount: 3 << 20)) { answers.add($0.reason) }
        }
        while answers.queueFullCount < 100 {
            engine.submit(WriteRequest(save, owner: owner, byteCount: 0)) { answers.add($0.reason) }
        }
        #expect(throws: StoreError.self) {
            while true {
                try engine.readInBackground(for: owner) { _ in }
            }
        }
        while answers.queueFullCount < 101 {
            engine.performBlobCommand(.end(BlobSessionID(number: 1)), userID: hog) { answers.add($0.reason) }
        }
    }

    private static func request(_ id: UInt64, _ call: WireRequest.OneOf_Call) -> [UInt8] {
        RawConnection.frame(RawConnection.request(id, call))
    }

    @Test func `full queues of one user do not affect another user`() async throws {
        var configuration = ServerConfiguration()
        configuration.watchesMax = Self.watchesMax
        try await UserServer.with(Self.rights, configuration: configuration) { server in
            let first = try server.connect(uid: Self.victim)
            _ = try first.call(.saveMessage(.with { $0.message.conversation.sessionID = "s" }))
            _ = try first.call(
                .openLog(
                    .with {
                        $0.name = "log"; $0.maximumBytes = 1_000
                    }))

            let watching = try server.connect(uid: Self.hog)
            for id in 1...UInt64(Self.watchesMax) {
                try watching.send(Self.request(id, .watch(.init())))
                _ = try watching.receive()
            }
            let held = try HeldEngine(server.engine)
            try Self.fill(server.engine)

            let calls: [WireRequest.OneOf_Call] = [
                .saveMessage(
                    .with {
                        $0.message.conversation.sessionID = "s"
                        $0.message.text = String(repeating: "x", count: 1 << 20)
                    }),
                .listMessages(
                    .with {
                        $0.conversation.sessionID = "s"; $0.limit = 1_000
                    }),
                .beginBlobExport(.with { $0.conversation.sessionID = "s" }),
                .readLog(
                    .with {
                        $0.name = "log"; $0.waitMilliseconds = 10
                    }),
            ]
            let waiting = try calls.map { call in
                let connection = try server.connect(uid: Self.victim)
                try connection.send(Self.request(1, call) + Self.request(2, .ping(.init())))
                // The ping's response comes first: the call waits instead of failing.
                #expect(try connection.receive().id == 2, "\(call)")
                return connection
            }
            let watch = try first.call(.watch(.init()))
            #expect(watch.more && watch.error.reason == "")
            held.release()
            for (connection, call) in zip(waiting, calls) {
                let answer = try connection.receive()
                #expect(answer.id == 1 && answer.error.reason == "", "\(call): \(answer.error)")
            }
        }
    }
}

/// Counts the requests that were rejected because the queue was full.
private final class Answers: Sendable {
    private let count = ConditionLock(0)

    var queueFullCount: Int { count.withLock { $0 } }

    func add(_ reason: ErrorReason?) {
        if reason == .queueFull {
            count.withLock { $0 += 1 }
        }
    }
}

extension Result where Failure == StoreError {
    fileprivate var reason: ErrorReason? {
        if case .failure(let error) = self { error.reason } else { nil }
    }
}
