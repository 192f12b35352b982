import GhostTestSupport
import StoreClient
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

/// For SOAK_SECONDS, repeats administration calls that close the store's files, while connections read and write.
@Suite(.oneAtATime) struct AdministrationBesideReadsTests {
    private static let connectionCount = 6
    private static let conversation = "05beside"
    private let duration = Duration.seconds(Settings.number("SOAK_SECONDS", default: TestTier.count(1, long: 10)))

    /// An error that a call returned.
    private struct Refusal: Hashable, Sendable {
        let reason: String
        let isRetryable: Bool
    }

    /// The calls that each connection makes in turn.
    private static let calls: [WireRequest.OneOf_Call] = [
        .getMessage(.with { $0.id = "m1" }),
        .listMessages(
            .with {
                $0.conversation.sessionID = conversation
                $0.limit = 500
            }),
        .listConversations(.init()),
        .getStatistics(.init()),
        .listChanges(.with { $0.limit = 100 }),
        .saveContact(.with { $0.sessionID = "05contact" }),
    ]

    @Test func `during rotations and restores every error is retryable`() async throws {
        try await withDaemonAndClient { daemon, client in
            let backup = try await fill(client)
            let refusals = try await refusals(of: daemon) {
                _ = try await client.rotateMasterKey()
                _ = try await client.restoreBackup(
                    backup, secret: SecretInput(kind: .keyFile, file: daemon.keyFilePath), replaceExisting: true)
            }
            let final = refusals.filter { !$0.isRetryable }
            #expect(final.isEmpty)
            try await client.expectClean()
        }
    }

    @Test func `during locks and unlocks every error is STORE_LOCKED or retryable`() async throws {
        try await withDaemonAndClient { daemon, client in
            _ = try await fill(client)
            let refusals = try await refusals(of: daemon) {
                try await client.lock()
                _ = try await client.unlock(secret: SecretInput(kind: .keyFile, file: daemon.keyFilePath))
            }
            let final = refusals.filter { !$0.isRetryable }
            #expect(Set(final.map(\.reason)) == ["STORE_LOCKED"])
            try await client.expectClean()
        }
    }

    /// - Returns: the name of a backup that contains the data for all calls.
    private func fill(_ client: StoreClient) async throws -> String {
        let messages = (0..<200).map {
            NewMessage(id: "m\($0)", conversation: .sessionID(Self.conversation), text: "number \($0)")
        }
        _ = try await client.saveMessages(messages)
        return try await client.createBackup().name
    }

    private func refusals(
        of daemon: TestDaemon, beside work: () async throws -> Void
    ) async throws -> Set<Refusal> {
        let (path, end) = (daemon.socketPath, ContinuousClock.now + duration)
        return try await withThrowingTaskGroup(of: Set<Refusal>.self) { group in
            for number in 0..<Self.connectionCount {
                group.addTask { try await onThread { try Self.ask(path, from: number, until: end) } }
            }
            while ContinuousClock.now < end {
                try await work()
            }
            return try await group.reduce(into: []) { $0.formUnion($1) }
        }
    }

    /// Makes one call after the other, and returns the errors that occurred.
    private static func ask(
        _ path: String, from start: Int, until end: ContinuousClock.Instant
    ) throws -> Set<Refusal> {
        let connection = try RawConnection(path)
        var refusals: Set<Refusal> = []
        var number = start
        while ContinuousClock.now < end {
            let answer = try connection.call(calls[number % calls.count], id: UInt64(number + 1))
            if case .error(let error) = answer.result {
                refusals.insert(Refusal(reason: error.reason, isRetryable: error.retryable))
            }
            number += 1
        }
        return refusals
    }
}
