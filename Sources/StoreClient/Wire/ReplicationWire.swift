import StoreBasics
import StoreProtocol

extension ReplicaStatus {
    init(_ wire: WireReplicaStatus) {
        self.init(
            groupID: [UInt8](wire.groupID), state: ReplicaState(wire.state),
            device: ReplicaDeviceID(number: wire.device), deviceName: wire.deviceName, selection: wire.selection,
            lastSequence: wire.lastSequence, storedThrough: wire.storedThrough,
            waitingCount: Int(clamping: wire.waitingCount),
            waitingBytes: wire.waitingBytes, uncollectedRevisions: wire.uncollectedRevisions,
            devices: wire.devices.map(ReplicaDevice.init),
            invitationExpiries: wire.invitationExpiriesMicroseconds.map { Timestamp(microseconds: $0) },
            outgoing: wire.outgoing.map(ReplicaPlace.init), followed: wire.followed.map(ReplicaPlace.init))
    }
}

extension ReplicaState {
    init(_ wire: WireReplicaState) {
        switch wire {
        case .joining: self = .joining
        case .receiving: self = .receiving
        case .member: self = .member
        case .removed: self = .removed
        case .changed: self = .changed
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
    }
}

extension ReplicaDevice {
    init(_ wire: WireReplicaDevice) {
        self.init(
            id: ReplicaDeviceID(number: wire.device), name: wire.name, mergedSequence: wire.mergedSequence,
            mergedAt: wire.mergedAtMicroseconds == 0 ? nil : Timestamp(microseconds: wire.mergedAtMicroseconds),
            heldSequence: wire.heldSequence,
            heldAt: wire.heldAtMicroseconds == 0 ? nil : Timestamp(microseconds: wire.heldAtMicroseconds),
            removedThrough: wire.isRemoved ? wire.removedThrough : nil,
            fault: wire.fault.isEmpty ? nil : ReplicaReason(rawValue: wire.fault),
            aheadMilliseconds: wire.aheadMilliseconds, behindMilliseconds: wire.behindMilliseconds,
            knownSequence: wire.knownSequence,
            missingSince: wire.missingSinceMicroseconds == 0
                ? nil : Timestamp(microseconds: wire.missingSinceMicroseconds),
            askedDevice: wire.askedDevice == 0 ? nil : ReplicaDeviceID(number: wire.askedDevice))
    }
}

extension ReplicaPlace {
    init(_ wire: WireReplicaPlace) {
        self.init(channel: wire.channel, sequence: wire.sequence)
    }
}

extension HandedInReplicaMessage {
    init(_ wire: WireHandInReplicaMessageResponse) {
        let outcome: Outcome =
            switch wire.outcome {
            case .merged: .merged
            case .waits: .waits
            case .refused: .refused
            case .unspecified, .UNRECOGNIZED: .unknown
            }
        self.init(
            outcome: outcome, reason: wire.reason.isEmpty ? nil : ReplicaReason(rawValue: wire.reason),
            nextSequence: wire.nextSequence == 0 ? nil : wire.nextSequence)
    }
}
