import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// A stand-in for the agents of a replica group and for the stream between them. It carries messages in a random order,
/// and some of them twice.
final class GroupRelay {
    private let clients: [StoreClient]
    private var generator: SplitMix
    /// All messages of each channel, from the first on.
    private var log: [String: [[UInt8]]] = [:]
    private(set) var refusals: [ReplicaReason] = []

    init(_ clients: [StoreClient], seed: UInt64) {
        self.clients = clients
        generator = SplitMix(seed: seed)
    }

    /// Carries messages until no store has any left.
    func run() async throws {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for client in clients.shuffled(using: &generator) {
                let (hasTaken, hasMerged) = (try await take(client), try await handIn(client))
                isQuiet = isQuiet && !hasTaken && !hasMerged
            }
        }
    }

    /// Carries a few messages and stops, like an agent that is killed.
    func runALittle() async throws {
        let client = try #require(clients.randomElement(using: &generator))
        _ = try await Bool.random(using: &generator) ? take(client) : handIn(client, messagesMax: 2)
    }

    /// - Returns: whether there were new messages.
    private func take(_ client: StoreClient) async throws -> Bool {
        guard let status = try await status(client) else { return false }
        var hasTaken = false
        for place in status.outgoing.shuffled(using: &generator) {
            while true {
                let kept = log[place.channel, default: []]
                // An agent that was restored from an earlier state may report fewer stored messages than there are.
                let told = UInt64(max(0, kept.count - Int.random(in: 0...1, using: &generator)))
                let taken = try await client.takeReplicaMessages(
                    place.channel, storedThrough: told, bytesMax: 100_000)
                let new = taken.filter { $0.sequence > kept.count }
                guard !new.isEmpty else { break }
                #expect(new.map(\.sequence) == (1...UInt64(new.count)).map { UInt64(kept.count) + $0 })
                log[place.channel] = kept + new.map(\.bytes)
                hasTaken = true
            }
            _ = try await client.takeReplicaMessages(
                place.channel, storedThrough: UInt64(log[place.channel, default: []].count))
        }
        return hasTaken
    }

    /// - Returns: whether a message was merged.
    private func handIn(_ client: StoreClient, messagesMax: Int = .max) async throws -> Bool {
        guard let status = try await status(client) else { return false }
        var hasMerged = false
        for place in status.followed.shuffled(using: &generator) {
            let waiting = log[place.channel, default: []].dropFirst(Int(clamping: place.sequence))
            for message in waiting.prefix(messagesMax) {
                let answer = try await client.handInReplicaMessage(message, channel: place.channel)
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    _ = try await client.handInReplicaMessage(message, channel: place.channel)
                }
                if answer.outcome == .refused {
                    refusals.append(try #require(answer.reason))
                }
                guard answer.outcome == .merged else { break }
                hasMerged = true
            }
        }
        return hasMerged
    }

    private func status(_ client: StoreClient) async throws -> ReplicaStatus? {
        do throws(StoreClientError) {
            return try await client.replicaStatus()
        } catch {
            guard error.reason == .replicaGroupAbsent else { throw error }
            return nil
        }
    }
}
