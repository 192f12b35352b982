import FoundationEssentials
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

private func save(_ index: Int, session: String = "alice") -> WireRequest {
    RawConnection.request(
        UInt64(index) + 1_000,
        .saveMessage(
            .with {
                $0.message.id = "\(session)-\(index)"
                $0.message.conversation.sessionID = session
                $0.message.text = "text"
            }))
}

/// Reads events until this revision is reached. Returns the revisions of their changes.
private func revisions(_ connection: RawConnection, through last: UInt64) throws -> [UInt64] {
    var revisions: [UInt64] = []
    var reached: UInt64 = 0
    while reached < last {
        let response = try connection.receive()
        guard response.more else {
            Issue.record("the watch ended: \(response.error)")
            return revisions
        }
        revisions += response.watchEvent.changes.map(\.revision)
        reached = response.watchEvent.revision
    }
    return revisions
}

/// Sends writes, two watches with the same id, and a cancellation of that id, all at once.
/// - Returns: the responses to the watches.
private func answersOfCancelledWatches(
    _ connection: RawConnection, round: Int, saves: Int
) throws -> [WireResponse] {
    let id = UInt64(round) * 10 + 1
    var requests = (0..<saves).map { save(round * 10 + $0) }
    requests.append(RawConnection.request(id, .watch(.with { $0.afterRevision = 1 })))
    requests.append(RawConnection.request(id, .watch(.init())))
    requests.append(RawConnection.request(id + 1, .cancel(.with { $0.requestID = id })))
    try connection.send(requests.flatMap { RawConnection.frame($0) })
    var answers: [WireResponse] = []
    while answers.count(where: { !$0.more }) < requests.count {
        answers.append(try connection.receive())
    }
    return answers.filter { $0.id == id }
}

@Suite(.serialized) struct WatchServerTests {
    @Test func `watchers see every change once while many clients write`() async throws {
        try await RunningServer.with { server in
            let live = try server.connect()
            #expect(try live.call(.watch(.init())).watchEvent.revision == 0)
            let writers = (0..<4).map { writer in
                SideWork {
                    let connection = try server.connect()
                    for index in 0..<150 {
                        try connection.send(save(index, session: "s\(writer)"))
                        _ = try connection.receive()
                    }
                }
            }
            let replaying = try server.connect()
            try replaying.send(RawConnection.request(1, .watch(.with { $0.afterRevision = 0 })))
            for writer in writers {
                try writer.finish()
            }
            let last = try server.engine.statistics().revision
            #expect(last == 604)
            #expect(try revisions(live, through: last) == Array(1...last))
            #expect(try revisions(replaying, through: last) == Array(1...last))
        }
    }

    /// `cancel` overtakes requests that wait for earlier writes, so the watch may not exist yet when `cancel` arrives.
    @Test(arguments: [0, 1, 5])
    func `a cancelled watch that waits behind writes never begins`(saves: Int) async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            for round in 0..<30 {
                let answers = try answersOfCancelledWatches(connection, round: round, saves: saves)
                let ends = answers.filter { !$0.more }
                #expect(ends.count == 2, "both watches have their last answer")
                let isRefused = ends.first?.error.reason == "REQUEST_ID_IN_USE"
                #expect(isRefused == (saves == 0), "without writes before it the first one runs")
                #expect(ends.last?.error.reason == "")
                #expect(ends.last?.watchEvent.changes.isEmpty == true)
            }
            try connection.send(save(1_000))
            #expect(try connection.receive().id == 2_000, "nobody is told of changes any more")
            let metrics = try connection.call(.getMetrics(.init())).metrics.text
            #expect(metrics.contains("ghoststore_watches 0\n"))
        }
    }

    @Test func `a watch with the id of a cancelled one gets its own changes`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            for index in 0..<50 {
                try connection.send(save(index))
                _ = try connection.receive()
            }
            let last = try server.engine.statistics().revision
            for _ in 0..<20 {
                // A page of the last changes is still being read for the first watch when the second begins.
                try connection.send(
                    RawConnection.request(7, .watch(.with { $0.afterRevision = last - 5 })),
                    RawConnection.request(8, .cancel(.with { $0.requestID = 7 })),
                    RawConnection.request(7, .watch(.with { $0.afterRevision = 0 })))
                let end = try connection.receive()
                #expect(end.id == 7 && !end.more && end.watchEvent.revision == last - 5)
                #expect(try connection.receive().id == 8)
                #expect(try revisions(connection, through: last) == Array(1...last))
                try connection.send(RawConnection.request(9, .cancel(.with { $0.requestID = 7 })))
                #expect(try connection.receive().id == 7)
                #expect(try connection.receive().id == 9)
            }
        }
    }

    @Test func `a filter excludes other conversations`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let conversation = try connection.call(.getOrCreateConversation(.with { $0.sessionID = "alice" }))
            let watcher = try server.connect()
            _ = try watcher.call(
                .watch(
                    .with {
                        $0.conversationID = conversation.getOrCreateConversation.conversation.id
                        $0.kinds = [.message]
                    }))
            for index in 0..<10 {
                try connection.send(save(index, session: index.isMultiple(of: 2) ? "alice" : "bob"))
                _ = try connection.receive()
            }
            var ids: [String] = []
            while ids.count < 5 {
                ids += try watcher.receive().watchEvent.changes.map(\.id)
            }
            #expect(ids == [0, 2, 4, 6, 8].map { "alice-\($0)" })
        }
    }

    @Test func `a watch whose peer does not read ends, and resumes at its revision`() async throws {
        var configuration = ServerConfiguration()
        configuration.answerBytesPendingMax = 64 << 10
        configuration.watchBacklogBytesMax = 64 << 10
        try await RunningServer.with(configuration: configuration) { server in
            let lazy = try server.connect()
            _ = try lazy.call(.watch(.init()))
            let writer = try server.connect()
            for batch in 0..<80 {
                let messages = (0..<250).map { index in
                    WireNewMessage.with {
                        $0.id = "m\(batch)-\(index)"
                        $0.conversation.sessionID = "alice"
                    }
                }
                let response = try writer.call(.saveMessages(.with { $0.messages = messages }))
                #expect(response.commit.createdCount == 250, "\(response.error)")
            }
            var seen: UInt64 = 0
            var next: UInt64 = 1
            while true {
                let response = try lazy.receive()
                guard response.more else {
                    #expect(response.error.reason == "WATCH_BACKLOG_EXCEEDED")
                    break
                }
                for change in response.watchEvent.changes {
                    #expect(change.revision == next)
                    next += 1
                }
                seen = response.watchEvent.revision
            }
            let last = try server.engine.statistics().revision
            #expect(seen < last)
            try lazy.send(RawConnection.request(2, .watch(.with { $0.afterRevision = seen })))
            #expect(try revisions(lazy, through: last) == Array((seen + 1)...last))
        }
    }

    @Test func `the largest possible commits reach the watch completely`() async throws {
        try await RunningServer.with { server in
            let watcher = try server.connect()
            _ = try watcher.call(.watch(.init()))
            let writer = try server.connect()
            for part in 0..<3 {
                // Each value makes two changes, one of them global, with the longest possible name.
                let set = WireSetSceneValuesRequest.with {
                    $0.scene = String(repeating: "s", count: 256)
                    $0.changes = (0..<EngineLimits.requestEntitiesMax).map { index in
                        .with {
                            $0.key = "\(part) \(1_000 + index) " + String(repeating: "k", count: 249)
                            $0.value.boolean = true
                        }
                    }
                }
                let response = try writer.call(.setSceneValues(set))
                #expect(response.commit.createdCount == EngineLimits.requestEntitiesMax, "\(response.error)")
            }
            let last = try server.engine.statistics().revision
            #expect(try revisions(watcher, through: last) == Array(1...last))
            try writer.send(save(1))
            // The two changes are the conversation and its message.
            #expect(try revisions(watcher, through: last + 2) == [last + 1, last + 2])
        }
    }

    @Test(arguments: [true, false])
    func `a lock by the daemon itself ends watches and waiting reads`(isIdle: Bool) async throws {
        try await RunningServer.with { server in
            let watcher = try server.connect()
            let reader = try server.connect()
            _ = try reader.call(
                .openLog(
                    .with {
                        $0.name = "events"
                        $0.maximumBytes = 1_000
                    }))
            _ = try watcher.call(.watch(.init()), id: 3)
            try reader.send(
                RawConnection.request(
                    4,
                    .readLog(
                        .with {
                            $0.name = "events"
                            $0.waitMilliseconds = 60_000
                        })), RawConnection.request(5, .ping(.init())))
            #expect(try reader.receive().id == 5)
            if isIdle {
                server.engine.lockWhenIdle()
            } else {
                try server.engine.lock()
            }
            let end = try watcher.receive()
            #expect(end.id == 3 && !end.more && end.error.reason == "STORE_LOCKED")
            let answer = try reader.receive()
            #expect(answer.id == 4 && answer.error.reason == "STORE_LOCKED")
        }
    }

    @Test func `a half-closed watcher still gets events`() async throws {
        try await RunningServer.with { server in
            let watcher = try server.connect()
            _ = try watcher.call(.watch(.init()))
            watcher.closeSendingSide()
            let writer = try server.connect()
            try writer.send(save(1))
            _ = try writer.receive()
            #expect(try revisions(watcher, through: 2) == [1, 2])
        }
    }
}
