import FoundationEssentials
import NIOCore
import ReplicaModel
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

extension ReplicaReason {
    init(_ wait: ReplicaWait) {
        switch wait {
        case .deviceUnknown: self = .deviceUnknown
        case .epochUnknown: self = .epochUnknown
        case .earlierMessage: self = .earlierMessageMissing
        case .snapshot: self = .snapshotAwaited
        case .laterVersion: self = .laterVersion
        case .timeAhead: self = .timeAhead
        case .membership: self = .notAMember
        }
    }

    init(_ refusal: ReplicaRefusal) {
        switch refusal {
        case .malformed: self = .malformed
        case .forged: self = .forged
        case .otherGroup: self = .otherGroup
        case .otherChannel: self = .otherChannel
        case .forked: self = .forked
        case .notOpened: self = .notOpened
        case .deviceRemoved: self = .deviceRemoved
        case .invitationOver: self = .invitationOver
        case .notAwaited: self = .notAwaited
        }
    }
}

extension ReplicaHandedIn {
    /// Why it waits or was refused; `nil` for what was merged.
    var reason: ReplicaReason? {
        switch self {
        case .merged: nil
        case .waits(let wait): ReplicaReason(wait)
        case .refused(let refusal): ReplicaReason(refusal)
        }
    }
}

extension ReplicaChannel {
    init(wire text: String) throws(RequestFailure) {
        guard let channel = ReplicaChannel(text: text) else {
            throw .invalidArgument(
                "the channel is not valid; its form is device.DEVICE, snapshot.ID, join.ID.request or join.ID.welcome")
        }
        self = channel
    }
}

extension ReplicaSelection {
    init(wire texts: [String]) throws(RequestFailure) {
        var rules: [Rule] = []
        for (index, text) in texts.enumerated() {
            guard let rule = Rule(text: text) else {
                let areas = Area.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalidArgument(
                    "rule \(index + 1) is not valid; write AREA or AREA:PATTERN; the areas are \(areas), "
                        + "and a pattern has letters, digits and . _ - / *")
            }
            rules.append(rule)
        }
        guard let selection = ReplicaSelection(rules) else {
            guard rules.isEmpty else {
                let rulesMax = Self.rulesMax
                throw RequestFailure(StoreError.tooMany(rules.count, "replication rules", countMax: rulesMax))
            }
            throw .invalidArgument("the request has no replication rules; give 1 to \(Self.rulesMax)")
        }
        self = selection
    }
}

extension WireReplicaStatus {
    init(_ status: ReplicaStatus) {
        self.init()
        groupID = Data(status.group.bytes)
        state = WireReplicaState(status.state)
        device = status.device
        deviceName = status.deviceName
        selection = status.selection.rules.map(\.text)
        lastSequence = status.lastSequence
        storedThrough = status.storedThrough
        waitingCount = status.waitingCount
        waitingBytes = status.waitingBytes
        uncollectedRevisions = status.uncollectedRevisions
        devices = status.devices.map(WireReplicaDevice.init)
        invitationExpiriesMicroseconds = status.invitationExpiries.map(\.microseconds)
        outgoing = status.outgoing.map(WireReplicaPlace.init)
        followed = status.followed.map(WireReplicaPlace.init)
    }
}

extension WireReplicaState {
    init(_ state: ReplicaStatus.State) {
        switch state {
        case .joining: self = .joining
        case .receiving: self = .receiving
        case .member: self = .member
        case .removed: self = .removed
        case .changed: self = .changed
        }
    }
}

extension WireReplicaDevice {
    init(_ device: ReplicaStatus.Device) {
        self.init()
        self.device = device.device
        name = device.name
        mergedSequence = device.mergedSequence
        mergedAtMicroseconds = device.mergedAt?.microseconds ?? 0
        isRemoved = device.removedThrough != nil
        removedThrough = device.removedThrough ?? 0
        fault = device.fault.map { ReplicaReason($0).rawValue } ?? ""
        aheadMilliseconds = device.aheadMilliseconds
        behindMilliseconds = device.behindMilliseconds
        heldSequence = device.heldSequence
        knownSequence = device.knownSequence
        missingSinceMicroseconds = device.missingSince?.microseconds ?? 0
        askedDevice = device.askedDevice ?? 0
        heldAtMicroseconds = device.heldAt?.microseconds ?? 0
    }
}

extension WireReplicaPlace {
    init(_ place: ReplicaStatus.Place) {
        self.init()
        channel = place.channel.text
        sequence = place.sequence
    }
}

extension WireHandInReplicaMessageResponse {
    init(_ handedIn: ReplicaHandedIn) {
        self.init()
        reason = handedIn.reason?.rawValue ?? ""
        switch handedIn {
        case .merged(let next):
            outcome = .merged
            nextSequence = next
        case .waits(let wait):
            outcome = .waits
            if case .earlierMessage(let sequence) = wait {
                nextSequence = sequence
            }
        case .refused:
            outcome = .refused
        }
    }
}

/// Writes messages of a group's log as protobuf without building protobuf types.
enum ReplicaEncoder {
    static func append(_ head: ResponseHead, _ messages: [ReplicaOutgoing], to buffer: inout ByteBuffer) {
        let resultBytes = messages.reduce(0) { $0 + ProtobufSize.bytesField(1, count: size(of: $1)) }
        FrameWriter.append(head, .replicaMessages, resultBytes: resultBytes, to: &buffer) { writer in
            for message in messages {
                writer.startBytesField(1, count: size(of: message))
                writeInteger(1, Int64(bitPattern: message.sequence), to: &writer)
                message.bytes.withUnsafeBytes { writer.bytesField(2, $0) }
            }
        }
    }

    private static func size(of message: ReplicaOutgoing) -> Int {
        integerSize(1, Int64(bitPattern: message.sequence)) + ProtobufSize.bytesField(2, count: message.bytes.count)
    }
}
