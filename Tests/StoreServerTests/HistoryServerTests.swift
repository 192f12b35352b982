import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

private func save(_ id: String, session: String = "alice") -> WireRequest.OneOf_Call {
    .saveMessage(
        .with {
            $0.message.id = id
            $0.message.conversation.sessionID = session
            $0.message.text = "text"
        })
}

private func watch(after revision: UInt64, _ kinds: WireEntityKind...) -> WireRequest.OneOf_Call {
    .watch(
        .with {
            $0.afterRevision = revision
            $0.kinds = kinds
        })
}

private func openLog(_ name: String) -> WireRequest.OneOf_Call {
    .openLog(
        .with {
            $0.name = name
            $0.maximumBytes = 1_000
        })
}

private func waitForLog(_ name: String) -> WireRequest.OneOf_Call {
    .readLog(
        .with {
            $0.name = name
            $0.waitMilliseconds = 60_000
        })
}

extension RawConnection {
    /// Sends a call with a history id and returns its response.
    fileprivate func call(
        _ call: WireRequest.OneOf_Call, of history: Data, id: UInt64 = 1
    ) throws -> WireResponse {
        var request = Self.request(id, call)
        request.historyID = history
        try send(request)
        return try receive()
    }
}

extension RunningServer {
    fileprivate func restore(_ name: String) throws {
        _ = try engine.restoreBackup(name: name, secret: nil, replaceExisting: true, progress: { _ in })
    }
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct HistoryServerTests {
    private let other = Data(repeating: 7, count: 16)

    @Test func `every response with revisions has the id of their history`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            _ = try connection.call(save("m1"))
            _ = try connection.call(openLog("events"))
            let histories = [
                try connection.call(.hello(.init())).hello.historyID,
                try connection.call(.getStatus(.init())).status.historyID,
                try connection.call(.listChanges(.init())).changes.historyID,
                try connection.call(.getSceneValues(.with { $0.scene = "main" })).sceneValues.historyID,
                try connection.call(.readLog(.with { $0.name = "events" })).logEntries.historyID,
                try connection.call(watch(after: 0), id: 2).watchEvent.historyID,
            ]
            #expect(Set(histories) == [Data(try server.engine.statistics().history.bytes)])
            _ = try connection.call(.lock(.init()), id: 3)
            let locked = try server.connect()
            #expect(try locked.call(.hello(.init())).hello.historyID.isEmpty)
            #expect(try locked.call(.getStatus(.init())).status.historyID.isEmpty)
        }
    }

    @Test func `every call with another history id is rejected without effect`() async throws {
        try await RunningServer.with { [other] server in
            let connection = try server.connect()
            _ = try connection.call(save("m1"))
            let before = try server.engine.statistics()
            var kinds: Set<CallKind> = []
            for (index, line) in AccessCalls.all.enumerated() {
                let words = ["SLOT": "1", "BACKUP": "b", "UPLOAD": "u", "BLOB": "5", "WRITTEN": "5"]
                var request = try AccessCalls.request(line, id: UInt64(index) + 1, words)
                request.historyID = other
                var outline = RequestOutline()
                let payload: [UInt8] = try request.serializedBytes()
                try payload.withUnsafeBytes { try outline.read($0) }
                kinds.insert(try #require(outline.callNumber.flatMap(CallKind.init(rawValue:))))
                try connection.send(request)
                let answer = try connection.receive()
                #expect(answer.id == request.id && !answer.more)
                #expect(answer.error.reason == "HISTORY_CHANGED", "\(line)")
            }
            #expect(kinds == Set(CallKind.allCases))
            #expect(try server.engine.statistics() == before)
            #expect(try connection.call(.listBackups(.init())).backups.backups.isEmpty)
        }
    }

    @Test func `calls with the store's own history id succeed`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let history = try connection.call(.hello(.init())).hello.historyID
            #expect(try connection.call(save("m1"), of: history).commit.revision == 2)
            #expect(try connection.call(.listChanges(.init()), of: history).changes.changes.count == 2)
            #expect(try connection.call(.getMessage(.with { $0.id = "m1" }), of: history).message.id == "m1")
            #expect(try connection.call(.createBackup(.init()), of: history).error.reason == "")
        }
    }

    @Test func `a watch that resumes after a restore ends with HISTORY_CHANGED, even if its revision exists again`()
        async throws
    {
        try await RunningServer.with { server in
            let writer = try server.connect()
            for index in 0..<5 {
                _ = try writer.call(save("before\(index)"))
            }
            let backup = try server.engine.createBackup { _ in }
            for index in 0..<5 {
                _ = try writer.call(save("lost\(index)"))
            }
            let watcher = try server.connect()
            let seen = try watcher.call(watch(after: 0)).watchEvent
            #expect(seen.revision == 11)
            try server.restore(backup.name)
            for index in 0..<10 {
                _ = try writer.call(save("after\(index)"))
            }
            let away = try server.connect()
            #expect(
                try away.call(watch(after: seen.revision), of: seen.historyID).error.reason == "HISTORY_CHANGED")
            let list = WireRequest.OneOf_Call.listChanges(.with { $0.afterRevision = seen.revision })
            #expect(try away.call(list, of: seen.historyID).error.reason == "HISTORY_CHANGED")
            let anew = try away.call(watch(after: 0), id: 2).watchEvent
            #expect(anew.revision == 16 && anew.historyID != seen.historyID)
        }
    }

    @Test func `a restore ends running watches and waiting reads, and later ones continue`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            _ = try connection.call(openLog("events"))
            let backup = try server.engine.createBackup { _ in }
            #expect(try connection.call(.watch(.init()), id: 2).more)
            try connection.send(
                RawConnection.request(3, waitForLog("events")), RawConnection.request(4, .ping(.init())))
            #expect(try connection.receive().id == 4)
            try server.restore(backup.name)
            let ended = [try connection.receive(), try connection.receive()]
            #expect(Set(ended.map(\.id)) == [2, 3])
            #expect(ended.allSatisfy { $0.error.reason == "HISTORY_CHANGED" && !$0.more })
            #expect(try connection.call(.watch(.init()), id: 5).more)
            try connection.send(RawConnection.request(6, save("m1")))
            let answers = [try connection.receive(), try connection.receive()]
            #expect(Set(answers.map(\.id)) == [5, 6])
            #expect(answers.allSatisfy { $0.error.reason == "" })
        }
    }

    @Test func `compare and set with a revision from before a restore does not change another value`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            func set(_ value: Int64, if revision: UInt64) -> WireRequest.OneOf_Call {
                .setSceneValues(
                    .with {
                        $0.scene = "main"
                        $0.changes = [
                            .with {
                                $0.key = "k"
                                $0.value.integer = value
                            }
                        ]
                        $0.conditions = [
                            .with {
                                $0.key = "k"
                                $0.condition = revision == 0 ? .absent(true) : .revision(revision)
                            }
                        ]
                    })
            }
            let history = try connection.call(.hello(.init())).hello.historyID
            let backup = try server.engine.createBackup { _ in }
            let mine = try #require(connection.call(set(1, if: 0), of: history).commit.valueRevisions.first)
            try server.restore(backup.name)
            #expect(try connection.call(set(2, if: 0)).commit.valueRevisions == [mine], "another value, one revision")
            #expect(try connection.call(set(3, if: mine), of: history).error.reason == "HISTORY_CHANGED")
            let now = try connection.call(.getSceneValues(.with { $0.scene = "main" })).sceneValues
            #expect(now.entries.first?.value.integer == 2)
            #expect(try connection.call(set(3, if: mine), of: now.historyID).commit.updatedCount == 1)
        }
    }

    @Test func `a watch without matching changes can resume after a compaction`() async throws {
        try await RunningServer.with { server in
            let watcher = try server.connect()
            let writer = try server.connect()
            #expect(try watcher.call(watch(after: 0, .contact)).watchEvent.revision == 0)
            for index in 0..<3 {
                _ = try writer.call(save("m\(index)"))
            }
            _ = try writer.call(.compactChanges(.with { $0.throughRevision = 3 }))
            let event = try watcher.receive()
            #expect(event.more && event.watchEvent.changes.isEmpty)
            #expect(event.watchEvent.revision == 3)
            let resumed = try server.connect()
            #expect(try resumed.call(watch(after: event.watchEvent.revision, .contact)).error.reason == "")
            #expect(try resumed.call(watch(after: 0, .contact), id: 2).error.reason == "CHANGES_COMPACTED")
        }
    }

    @Test func `a watch without matching changes regularly gets the revision that it has reached`() async throws {
        try await RunningServer.with { server in
            let watcher = try server.connect()
            _ = try watcher.call(watch(after: 0, .contact))
            let all = try server.connect()
            _ = try all.call(watch(after: 0))
            let step = EngineLimits.requestEntitiesMax
            for start in stride(from: 0, to: Int(Watch.carriedForwardRevisions), by: step) {
                let messages = try (start..<start + step).map { index in
                    NewMessage(
                        id: try EntityID("m\(index)"), conversation: .session(try SessionID("alice")), text: "")
                }
                let done = OneShot<Result<MutationResult, StoreError>>()
                server.engine.submit(WriteRequest(.saveMessages(messages))) { done.set($0) }
                _ = try done.wait().get()
            }
            let event = try watcher.receive()
            #expect(event.more && event.watchEvent.changes.isEmpty)
            // The event follows the first commit whose last revision exceeds `carriedForwardRevisions`, because the
            // watch began at revision 0. The first message has also created the conversation, so each commit ends one
            // revision after a multiple of `step`.
            let beyond = event.watchEvent.revision - Watch.carriedForwardRevisions
            #expect((1...UInt64(step)).contains(beyond) && event.watchEvent.revision % UInt64(step) == 1)
            var reached: UInt64 = 0
            while reached < event.watchEvent.revision {
                let next = try all.receive().watchEvent
                #expect(!next.changes.isEmpty, "who gets changes needs no such event")
                reached = next.revision
            }
        }
    }

    @Test func `a read with the revision of a deleted log fails, even if a longer one replaced it`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            func append(_ texts: String...) throws -> WireResponse {
                try connection.call(
                    .appendLog(
                        .with {
                            $0.name = "events"
                            $0.messages = texts.map { Data($0.utf8) }
                        }))
            }
            let made = try connection.call(openLog("events")).openLog.log.createdRevision
            _ = try append("one")
            _ = try connection.call(.deleteLog(.with { $0.name = "events" }))
            _ = try connection.call(openLog("events"))
            _ = try append("new", "newer")
            func read(_ createdRevision: UInt64, waiting milliseconds: UInt32) throws -> WireResponse {
                try connection.call(
                    .readLog(
                        .with {
                            $0.name = "events"
                            $0.afterSequence = 1
                            $0.createdRevision = createdRevision
                            $0.waitMilliseconds = milliseconds
                        }))
            }
            #expect(try read(0, waiting: 0).logEntries.entries.map(\.sequence) == [2])
            for milliseconds in [UInt32(0), 1_000] {
                #expect(try read(made, waiting: milliseconds).error.reason == "LOG_NOT_FOUND")
            }
        }
    }
}
