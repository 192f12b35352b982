import FoundationEssentials
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

private let alice = WireConversationReference.with { $0.sessionID = "alice" }

/// The response to a mutation contains what its own transaction saw, at the first request and at every repetition.
@Suite struct MutationAnswerTests {
    /// Sends all requests at once, after a write that keeps the writer busy until they have gathered, so that one
    /// transaction commits them together.
    private func pipelined(
        _ connection: RawConnection, _ calls: [WireRequest.OneOf_Call]
    ) throws -> [UInt64: WireResponse] {
        let busy = WireRequest.OneOf_Call.saveMessages(
            .with {
                $0.messages = (0..<200).map { number in
                    .with {
                        $0.conversation.sessionID = "busy"
                        $0.text = "message \(number)"
                    }
                }
            })
        let requests = ([busy] + calls).enumerated().map { RawConnection.request(UInt64($0), $1) }
        try connection.send(requests.flatMap { RawConnection.frame($0) })
        var answers: [UInt64: WireResponse] = [:]
        for _ in requests {
            let answer = try connection.receive()
            answers[answer.id] = answer
        }
        return answers
    }

    @Test func `a conversation that the next request deletes is returned as it was created`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            for round in 0..<20 {
                let answers = try pipelined(
                    connection,
                    [
                        .getOrCreateConversation(
                            .with {
                                $0.sessionID = "alice"
                                $0.id = "c\(round)"
                                $0.displayName = "Alice"
                            }),
                        .deleteConversation(.with { $0.conversation = alice }),
                    ])
                let made = try unwrap(answers[1])
                #expect(
                    made.getOrCreateConversation.conversation.id == "c\(round)"
                        && made.getOrCreateConversation.conversation.displayName == "Alice", "\(made)")
                #expect(try unwrap(answers[2]).commit.deletedCount == 1)
            }
        }
    }

    @Test func `a log that the next request deletes is returned as it was opened`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            for _ in 0..<20 {
                let open = WireRequest.OneOf_Call.openLog(
                    .with {
                        $0.name = "events"
                        $0.maximumBytes = 164
                        $0.overwritesOldest = true
                    })
                let append = WireRequest.OneOf_Call.appendLog(
                    .with {
                        $0.name = "events"
                        $0.messages = (0..<3).map { _ in Data(repeating: 1, count: 30) }
                    })
                let answers = try pipelined(
                    connection, [open, append, open, .deleteLog(.with { $0.name = "events" })])
                #expect(try unwrap(answers[1]).openLog.log.maximumBytes == 164)
                #expect(try unwrap(answers[1]).openLog.log.lastSequence == 0)
                // The log has space for 100 bytes of entries, and each entry takes 34. So the third entry wraps to the
                // start and displaces the entries that it reaches.
                let log = try unwrap(answers[3]).openLog.log
                #expect(log.firstSequence == 3 && log.lastSequence == 3 && log.usedBytes == 34, "\(log)")
                #expect(try unwrap(answers[4]).commit.deletedCount == 1)
            }
        }
    }

    @Test func `compacting changes returns the revision of its own transaction`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            func compact(_ revision: UInt64) -> WireRequest.OneOf_Call {
                .compactChanges(.with { $0.throughRevision = revision })
            }
            for round in UInt64(0)..<10 {
                let answers = try pipelined(connection, [compact(201 * round + 5), compact(201 * round + 9)])
                #expect(try unwrap(answers[1]).compactChanges.compactedThroughRevision == max(201 * round, 0) + 5)
                #expect(try unwrap(answers[2]).compactChanges.compactedThroughRevision == 201 * round + 9)
            }
        }
    }

    /// Mutations of many kinds, which tests send with idempotency keys. They are ordered so that each finds what it
    /// needs, and the last ones remove what the first ones created.
    private var everyMutation: [WireRequest.OneOf_Call] {
        let message = WireNewMessage.with {
            $0.id = "m"
            $0.conversation.sessionID = "alice"
            $0.text = "hello"
        }
        let log = WireOpenLogRequest.with {
            $0.name = "events"
            $0.maximumBytes = 1_000
        }
        let value = WireSceneChange.with {
            $0.key = "k"
            $0.value = .with { $0.integer = 1 }
        }
        return [
            .getOrCreateConversation(.with { $0.sessionID = "alice" }),
            .saveMessage(.with { $0.message = message }),
            .saveMessages(.with { $0.messages = [message] }),
            .updateConversation(
                .with {
                    $0.conversation = alice
                    $0.displayName = "Alice"
                    $0.avatar = Data([1, 2, 3])
                    $0.isMuted = true
                }),
            // The conversation exists now, so the response contains all of its data.
            .getOrCreateConversation(.with { $0.sessionID = "alice" }),
            .updateMessageStatus(
                .with {
                    $0.ids = ["m"]
                    $0.status = .delivered
                }),
            .markMessagesRead(.with { $0.ids = ["m"] }),
            .editMessage(
                .with {
                    $0.id = "m"
                    $0.text = "hello"
                }),
            .markConversationRead(.with { $0.conversation = alice }),
            .saveDraft(
                .with {
                    $0.conversation = alice
                    $0.text = "draft"
                }),
            .deleteDraft(.with { $0.conversation = alice }),
            .saveContact(.with { $0.sessionID = "bob" }),
            .setContactBlocked(
                .with {
                    $0.sessionID = "bob"
                    $0.isBlocked = true
                }),
            .setSceneValues(
                .with {
                    $0.scene = "main"
                    $0.changes = [value]
                }),
            .openLog(log),
            .appendLog(
                .with {
                    $0.name = "events"
                    $0.messages = [Data([1]), Data([2])]
                }),
            .openLog(log),
            .compactChanges(.with { $0.throughRevision = 2 }),
            .deleteContact(.with { $0.sessionID = "bob" }),
            .removeScene(.with { $0.scene = "main" }),
            .deleteLog(.with { $0.name = "events" }),
        ]
    }

    private func answers(_ connection: RawConnection, _ calls: [WireRequest.OneOf_Call]) throws -> [WireResponse] {
        try calls.enumerated().map { number, call in
            try connection.send(RawConnection.request(7, call, key: "key number \(number)"))
            return try connection.receive()
        }
    }

    /// Returns the response without the flag `is_replayed`, which every repeated response must have.
    private func withoutMark(_ answer: WireResponse) -> WireResponse {
        var answer = answer
        func takeAway(_ mark: inout Bool) {
            #expect(mark)
            mark = false
        }
        switch answer.result {
        case .commit: takeAway(&answer.commit.isReplayed)
        case .appendLog: takeAway(&answer.appendLog.isReplayed)
        case .getOrCreateConversation: takeAway(&answer.getOrCreateConversation.isReplayed)
        case .openLog: takeAway(&answer.openLog.isReplayed)
        case .compactChanges: takeAway(&answer.compactChanges.isReplayed)
        default: Issue.record("\(answer) is no answer to a mutation")
        }
        return answer
    }

    @Test func `a repeated key returns the first response, whatever has changed since`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let calls = everyMutation
            let first = try answers(connection, calls)
            #expect(first.allSatisfy { $0.error.reason.isEmpty }, "\(first)")
            let found = first[4].getOrCreateConversation.conversation
            #expect(found.hasAvatar_p && found.isMuted && found.displayName == "Alice" && found.messageCount == 1)
            #expect(found.lastMessage.text == "hello" && found.lastMessage.id == "m")
            #expect(first[16].openLog.log.lastSequence == 2)
            // Changes that would appear in a response if the daemon read it from the store again.
            _ = try connection.call(
                .updateConversation(
                    .with {
                        $0.conversation = alice
                        $0.displayName = "Other"
                        $0.isPinned = true
                    }))
            _ = try connection.call(
                .saveMessage(
                    .with {
                        $0.message = .with {
                            $0.conversation.sessionID = "alice"
                            $0.text = "later"
                        }
                    }))
            #expect(try answers(connection, calls).map(withoutMark) == first)
            #expect(try answers(server.connect(), calls).map(withoutMark) == first)
        }
    }

    @Test func `a repeated key returns a deleted conversation without the text of its last message`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let calls = Array(everyMutation.prefix(5))
            var first = try answers(connection, calls)
            let deletion = WireRequest.OneOf_Call.deleteConversation(.with { $0.conversation = alice })
            let deleted = try answers(connection, calls + [deletion])
            first[4].getOrCreateConversation.conversation.lastMessage.text = ""
            #expect(try answers(connection, calls).map(withoutMark) == first)
            #expect(try withoutMark(answers(connection, calls + [deletion])[5]) == deleted[5])
        }
    }

    @Test func `clearing all data deletes stored responses with names, but keeps its own response`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let create = WireRequest.OneOf_Call.getOrCreateConversation(.with { $0.sessionID = "alice" })
            let clear = WireRequest.OneOf_Call.clearAllData_p(.with { $0.confirmation = "clear all data" })
            let first = try answers(connection, [create, clear])
            let second = try answers(connection, [create, clear])
            #expect(
                first[0].getOrCreateConversation.conversation.id != second[0].getOrCreateConversation.conversation.id)
            #expect(withoutMark(second[1]) == first[1])
        }
    }
}
