import FoundationEssentials
import StoreBasics
import StoreProtocol

/// Groups of stores: devices that keep a whole store each and are brought into step. Calls of a store that belongs to
/// none are `.replicaGroupAbsent`.
extension StoreClient {
    /// Makes a code with which one other store joins the group.
    ///
    /// - Parameter time: how long it is good for: a minute to a week.
    /// - Throws: `.replicaDeviceChanged` after a backup took the store's place.
    public func inviteReplicaDevice(
        validFor time: Duration = .seconds(3_600)
    ) async throws(StoreClientError) -> ReplicaInvitation {
        var call = WireInviteReplicaDeviceRequest()
        // None at all is what the daemon calls an hour.
        call.validSeconds = max(1, UInt32(clamping: time.components.seconds))
        let body = RequestBody(
            bytes: try RequestBody(.inviteReplicaDevice(call)).bytes, answersSecret: true)
        let answer = try await finalAnswer(to: body, .once)
        let expiresAt = try answer.result { result in
            if case .replicaInvitation(let invitation) = result { invitation.expiresAtMicroseconds } else { nil }
        }
        return ReplicaInvitation(expiresAt: Timestamp(microseconds: expiresAt), code: answer.takeRecoveryCode())
    }

    /// The messages of a channel behind those that the group's log has, for who brings them there. They are the same
    /// bytes however often they are taken.
    ///
    /// - Parameters:
    ///   - channel: one of `ReplicaStatus.outgoing`.
    ///   - sequence: the log has the messages up to this one, durably: the store forgets them.
    ///   - bytesMax: messages are added as long as they fit, the first always does; at most 8 MiB.
    ///   - wait: when there is nothing to take, how long the daemon waits for something before it answers; at most 60
    ///     seconds.
    public func takeReplicaMessages(
        _ channel: String, storedThrough sequence: UInt64, bytesMax: Int = 1 << 20, waiting wait: Duration = .zero
    ) async throws(StoreClientError) -> [ReplicaMessage] {
        var call = WireTakeReplicaMessagesRequest()
        call.channel = channel
        call.storedThrough = sequence
        call.bytesMax = UInt32(clamping: max(1, bytesMax))
        call.waitMilliseconds = UInt32(clamping: wait.nanosecondsClamped / 1_000_000)
        let effect = call.waitMilliseconds == 0 ? CallEffect.read : .waitingRead(wait)
        let answered = try await answer(to: .takeReplicaMessages(call), effect) { result in
            if case .replicaMessages(let taken) = result { taken } else { nil }
        }
        return answered.messages.map { ReplicaMessage(sequence: $0.sequence, bytes: [UInt8]($0.message)) }
    }
}
