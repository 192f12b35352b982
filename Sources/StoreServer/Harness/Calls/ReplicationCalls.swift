import FoundationEssentials
import ReplicaModel
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// The calls about replica groups. Two stores of a group read and write the contents of each other. So inviting a
/// device and joining a group need the rights to the whole store.
enum ReplicationCalls {
    static let createReplicaGroup = CallRule(
        .administration, .read, bytesMax: selectionBytesMax, entriesMax: ReplicaSelection.rulesMax
    ) { (request: WireCreateReplicaGroupRequest, _) throws(StoreError) in
        let name = try deviceName(request.deviceName)
        let selection = try ReplicaSelection(wire: request.selection)
        return .administration { (engine, _) throws(StoreError) in
            device(try engine.createReplicaGroup(deviceName: name, selection: selection))
        }
    }

    static let inviteReplicaDevice = CallRule(.wholeStore, .read) {
        (request: WireInviteReplicaDeviceRequest, _) throws(StoreError) in
        let seconds =
            request.validSeconds == 0
            ? CallLimits.replicaInvitationSecondsDefault : UInt64(request.validSeconds)
        return .administration { (engine, _) throws(StoreError) in
            let invitation = try engine.inviteReplicaDevice(validForSeconds: seconds)
            let expiresAt = invitation.expiresAt.microseconds
            return AdministrationOutcome(invitation.takeCode()) { codeBytes in
                .replicaInvitation(
                    .with {
                        $0.code = Data(count: codeBytes)
                        $0.expiresAtMicroseconds = expiresAt
                    })
            }
        }
    }

    static let joinReplicaGroup = CallRule(.wholeStore, .read) {
        (request: WireJoinReplicaGroupRequest, secrets) throws(StoreError) in
        let name = try deviceName(request.deviceName)
        guard let code = try secrets.takeCode(kind: request.code.kind) else {
            throw .invalidArgument("code is missing or empty")
        }
        return .administration { (engine, _) throws(StoreError) in
            // Throws if the store is not open, so that this error comes before any error about the code.
            _ = try engine.statistics()
            guard let code = code.take() else { throw .fault("the code of the request was read twice") }
            return device(try engine.joinReplicaGroup(code: code, deviceName: name))
        }
    }

    static let removeReplicaDevice = CallRule(.administration, .read) {
        (request: WireRemoveReplicaDeviceRequest, _) throws(StoreError) in
        .administration { (engine, _) throws(StoreError) in
            try engine.removeReplicaDevice(request.device)
            return AdministrationOutcome(.replicaDeviceRemoved(WireRemoveReplicaDeviceResponse()))
        }
    }

    static let leaveReplicaGroup = CallRule(.administration, .read) {
        (_: WireLeaveReplicaGroupRequest, _) throws(StoreError) in
        .administration { (engine, _) throws(StoreError) in
            try engine.leaveReplicaGroup()
            return AdministrationOutcome(.replicaGroupLeft(WireLeaveReplicaGroupResponse()))
        }
    }

    static let getReplicaStatus = CallRule(.replication, .read) {
        (_: WireGetReplicaStatusRequest, _) throws(StoreError) in
        .read(isLong: true) { (reader, _) throws(StoreError) in
            try reader.replicaStatus().map { .result(.replicaStatus(WireReplicaStatus($0))) }
                ?? .failure(.replicaGroupAbsent, "the store belongs to no replica group; hint: create or join one")
        }
    }

    static let listLostEdits = CallRule(.wholeStore, .read) {
        (request: WireListLostEditsRequest, _) throws(StoreError) in
        let (limit, cursor) = (try request.limit.asLimit(), request.cursor.ifGiven)
        return .read(isLong: true) { (reader, _) throws(StoreError) in
            .result(.lostEdits(WireListLostEditsResponse(try reader.lostEdits(limit: limit, cursor: cursor))))
        }
    }

    static let dismissLostEdit = CallRule(.wholeStore, .read) {
        (request: WireDismissLostEditRequest, _) throws(StoreError) in
        .administration { (engine, _) throws(StoreError) in
            try engine.dismissLostEdit(request.id)
            return AdministrationOutcome(.lostEditDismissed(WireDismissLostEditResponse()))
        }
    }

    static let takeReplicaMessages = CallRule(.replication, .read) {
        (request: WireTakeReplicaMessagesRequest, _) throws(StoreError) in
        let milliseconds = try request.waitMilliseconds.asWait()
        let take = OutgoingRequest(
            channel: try ReplicaChannel(wire: request.channel), storedThrough: request.storedThrough,
            bytesMax: try bytesMax(request.bytesMax))
        return milliseconds == 0
            ? .replica(.take(take)) : .wait(.replicaMessages(take), milliseconds: milliseconds)
    }

    /// Handing in the same message again has no further effect, so an idempotency key would have no purpose.
    static let handInReplicaMessage = CallRule(
        .replication, .write, bytesMax: CallLimits.replicaMessageBytesMax + CallLimits.smallCallBytesMax,
        acceptsIdempotencyKey: false
    ) { (request: WireHandInReplicaMessageRequest, _) throws(StoreError) in
        guard 1...CallLimits.replicaMessageBytesMax ~= request.message.count else {
            throw .invalidArgument(
                "the message has \(request.message.count) bytes; it must have 1 to \(CallLimits.replicaMessageBytesMax)"
            )
        }
        return .replica(
            .handIn(
                ReplicaMessage(
                    channel: try ReplicaChannel(wire: request.channel), bytes: [UInt8](request.message),
                    isOldestKept: request.isOldestKept)))
    }

    static func answer(_ result: ReplicaResult) -> Answer {
        switch result {
        case .taken(let messages): .replicaMessages(ReplicaMessages(messages: messages))
        case .handedIn(let handedIn): .result(.replicaHandedIn(WireHandInReplicaMessageResponse(handedIn)))
        case .device(let device): .result(Self.device(device).result)
        case .done, .invited: .failure(.fault("the store returned an unexpected result for a call about its group"))
        }
    }

    /// Enough bytes for the largest number of rules with the longest patterns.
    private static let selectionBytesMax =
        ReplicaSelection.rulesMax * (NamePattern.textBytesMax + 32) + CallLimits.smallCallBytesMax

    private static func device(_ device: UInt64) -> AdministrationOutcome {
        AdministrationOutcome(.replicaDevice(.with { $0.device = device }))
    }

    private static func deviceName(_ text: String) throws(StoreError) -> ReplicaDeviceName {
        try ReplicaDeviceName(text)
    }

    private static func bytesMax(_ asked: UInt32) throws(StoreError) -> Int {
        guard asked > 0 else { return CallLimits.replicaMessagesBytesDefault }
        guard asked <= CallLimits.replicaMessagesBytesMax else {
            throw .invalidArgument("bytes_max is \(asked); the limit is \(CallLimits.replicaMessagesBytesMax)")
        }
        return Int(asked)
    }
}
