import GhostTestSupport
import StoreClient

/// Carries the messages of a replica group between daemons, as agents do.
func carryGroupMessages(_ clients: [StoreClient]) async throws {
    var log: [String: [[UInt8]]] = [:]
    var hasMerged = true
    while hasMerged {
        hasMerged = false
        for client in clients {
            for place in try await client.replicaStatus().outgoing {
                let kept = UInt64(log[place.channel, default: []].count)
                log[place.channel, default: []] += try await client.takeReplicaMessages(
                    place.channel, storedThrough: kept
                ).map(\.bytes)
            }
        }
        for client in clients {
            for place in try await client.replicaStatus().followed {
                for message in log[place.channel, default: []].dropFirst(Int(clamping: place.sequence)) {
                    let answer = try await client.handInReplicaMessage(message, channel: place.channel)
                    guard answer.outcome == .merged else { break }
                    hasMerged = true
                }
            }
        }
    }
}
