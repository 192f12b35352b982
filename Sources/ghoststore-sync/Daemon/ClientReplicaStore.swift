import Logging
import ReplicaModel
import StoreBasics
import StoreClient

/// A connection to the daemon that uses only the calls that the right `replication` allows. The first call connects;
/// afterwards the client reconnects by itself.
actor ClientReplicaStore: ReplicaStore {
    /// An answer of the daemon that this version does not know. Retries give the same answer until the agent is
    /// updated.
    struct UnknownAnswer: Error, CustomStringConvertible {
        let description =
            "this version of ghoststore-sync does not know the daemon's answer; "
            + "hint: install the same version of ghoststore-sync and ghoststored"
    }

    private let socketPath: String
    private let logger: Logger
    private var client: StoreClient?
    /// The reason that is used if an answer of the daemon has none.
    private static let unnamed = ReplicaReason(rawValue: "UNKNOWN")

    init(socketPath: String, logger: Logger) {
        self.socketPath = socketPath
        self.logger = logger
    }

    private func connected() async throws -> StoreClient {
        if let client { return client }
        var configuration = ClientConfiguration()
        configuration.clientName = "ghoststore-sync/\(ProjectVersion.text)"
        let made = try await StoreClient.connect(to: socketPath, configuration: configuration)
        // Another call may have connected in the meantime.
        if let client {
            await made.close()
            return client
        }
        client = made
        return made
    }

    func status() async throws -> ReplicaStoreStatus {
        do {
            return try ReplicaStoreStatus(await connected().replicaStatus(), logger)
        } catch let error as StoreClientError where error.reason == .replicaGroupAbsent {
            return ReplicaStoreStatus(device: 0, state: .none, outgoing: [], followed: [])
        }
    }

    func outgoing(
        channel: ReplicaChannel, storedThrough: UInt64, limitBytes: Int, wait: Duration
    ) async throws -> [OutgoingMessage] {
        try await connected().takeReplicaMessages(
            channel.text, storedThrough: storedThrough, bytesMax: limitBytes, waiting: wait
        ).map { OutgoingMessage(sequence: $0.sequence, bytes: $0.bytes) }
    }

    func handIn(channel: ReplicaChannel, bytes: [UInt8], isOldestKept: Bool) async throws -> HandInOutcome {
        // The daemon makes no messages of this size, and no call accepts them, so another publisher made this one.
        guard 1...ReplicaMessage.bytesMax ~= bytes.count else { return .refused(.malformed) }
        let answer = try await connected().handInReplicaMessage(
            bytes, channel: channel.text, isOldestKept: isOldestKept)
        let reason = answer.reason ?? Self.unnamed
        switch answer.outcome {
        case .merged:
            guard let next = answer.nextSequence else { throw UnknownAnswer() }
            return .merged(next: next)
        case .refused: return .refused(reason)
        case .waits: return .waits(reason, expected: answer.nextSequence)
        case .unknown: throw UnknownAnswer()
        }
    }
}

extension ReplicaStoreStatus {
    fileprivate init(_ status: ReplicaStatus, _ logger: Logger) throws {
        let state: State =
            switch status.state {
            case .joining: .joining
            case .receiving, .member: .member
            // A removed device makes no new batches, but its batches from before the removal still belong to the group.
            case .removed: .removed
            case .changed: .changed
            case .unknown: throw ClientReplicaStore.UnknownAnswer()
            }
        func channel(of place: ReplicaPlace) -> ReplicaChannel? {
            let channel = ReplicaChannel(text: place.channel)
            if channel == nil { logger.error("the daemon sent a text that is not the name of a channel") }
            return channel
        }
        let own = ReplicaChannel.device(status.device.number)
        self.init(
            device: status.device.number, state: state,
            mergedByAll: status.devices.filter { $0.removedThrough == nil }.map(\.heldSequence).min()
                ?? status.storedThrough,
            outgoing: status.outgoing.compactMap { place in
                guard let channel = channel(of: place) else { return nil }
                let last = channel == own ? status.lastSequence : place.sequence
                return OutgoingChannel(
                    channel: channel, storedThrough: place.sequence, last: max(last, place.sequence))
            },
            followed: status.followed.compactMap { place in
                guard let channel = channel(of: place) else { return nil }
                return FollowedChannel(channel: channel, next: place.sequence < .max ? place.sequence + 1 : .max)
            })
    }
}
