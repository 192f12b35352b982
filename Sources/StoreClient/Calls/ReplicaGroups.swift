import FoundationEssentials
import StoreBasics
import StoreProtocol

/// Groups of stores: devices that keep a whole store each and are brought into step. Calls of a store that belongs to
/// none are `.replicaGroupAbsent`.
extension StoreClient {
    /// Makes a group of which this store is the first device.
    ///
    /// - Parameters:
    ///   - deviceName: for people, 1 to 64 bytes.
    ///   - selection: what takes part, on all devices and for good: 1 to 64 rules, each an area (`contacts`,
    ///     `conversations`, `scenes`, `files`, `logs`) or `AREA:PATTERN`.
    /// - Returns: the number of this store's device.
    /// - Throws: `.alreadyExists` where the store belongs to a group.
    @discardableResult
    public func createReplicaGroup(
        deviceName: String, selection: [String]
    ) async throws(StoreClientError) -> ReplicaDeviceID {
        var call = WireCreateReplicaGroupRequest()
        call.deviceName = deviceName
        call.selection = selection
        return try await answer(to: .createReplicaGroup(call), .longWork, read: Self.replicaDevice)
    }

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

    /// Asks to be let into the group that a code was made for. What this store holds is merged with what the group
    /// holds, as soon as messages are brought over: `replicaStatus()` tells.
    ///
    /// - Parameters:
    ///   - code: as printed, of the kind `recoveryCode`.
    ///   - deviceName: for people, 1 to 64 bytes.
    /// - Returns: the number of this store's device.
    /// - Throws: `.invalidArgument` for a mistyped code, `.alreadyExists` where the store belongs to a group.
    @discardableResult
    public func joinReplicaGroup(
        code: consuming SecretInput, deviceName: String
    ) async throws(StoreClientError) -> ReplicaDeviceID {
        var call = WireJoinReplicaGroupRequest()
        var secrets = SecretList()
        call.code = secrets.add(code)
        call.deviceName = deviceName
        let answer = try await finalAnswer(to: RequestBody(.joinReplicaGroup(call), secrets: secrets), .longWork)
        return try answer.result(Self.replicaDevice)
    }

    /// Removes another device: the group merges nothing that it makes later, and it can read nothing that the group
    /// makes later.
    /// - Throws: `.replicaDeviceNotFound`.
    public func removeReplicaDevice(_ device: ReplicaDeviceID) async throws(StoreClientError) {
        var call = WireRemoveReplicaDeviceRequest()
        call.device = device.number
        try await answer(to: .removeReplicaDevice(call), .once) { result in
            if case .replicaDeviceRemoved = result { () } else { nil }
        }
    }

    /// The store keeps what it holds, and forgets the group with all of its keys. The other devices do not learn of it.
    public func leaveReplicaGroup() async throws(StoreClientError) {
        try await answer(to: .leaveReplicaGroup(WireLeaveReplicaGroupRequest()), .once) { result in
            if case .replicaGroupLeft = result { () } else { nil }
        }
    }

    /// What the store knows of its group.
    public func replicaStatus() async throws(StoreClientError) -> ReplicaStatus {
        let answered = try await answer(to: .getReplicaStatus(WireGetReplicaStatusRequest()), .read) { result in
            if case .replicaStatus(let status) = result { status } else { nil }
        }
        return ReplicaStatus(answered)
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

    /// Hands in a message of the group's log, and returns when what it says is on disk. It may be handed in again at
    /// any time.
    ///
    /// - Parameters:
    ///   - message: as the log has it, of 1 byte to `ReplicaMessage.bytesMax`.
    ///   - channel: the one that the log has it in.
    ///   - isOldestKept: the log has no message of the channel that is older.
    public func handInReplicaMessage(
        _ message: [UInt8], channel: String, isOldestKept: Bool = false
    ) async throws(StoreClientError) -> HandedInReplicaMessage {
        var call = WireHandInReplicaMessageRequest()
        call.channel = channel
        call.message = Data(message)
        call.isOldestKept = isOldestKept
        let answered = try await answer(to: .handInReplicaMessage(call), .repeatable) { result in
            if case .replicaHandedIn(let handedIn) = result { handedIn } else { nil }
        }
        return HandedInReplicaMessage(answered)
    }

    private static func replicaDevice(_ result: WireResult) -> ReplicaDeviceID? {
        if case .replicaDevice(let made) = result { ReplicaDeviceID(number: made.device) } else { nil }
    }
}
