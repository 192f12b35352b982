package import ReplicaModel
package import StoreBasics
package import StoreCrypto

/// Requests about the replica group that the writer performs, for administrators and for the agent.
package enum ReplicaWork: Sendable {
    case create(deviceName: ReplicaDeviceName, ReplicaSelection)
    case invite(ReplicaInvitationCode, validForMicroseconds: Int64)
    case join(ReplicaInvitationCode, deviceName: ReplicaDeviceName)
    case removeDevice(UInt64)
    case leave
    case take(OutgoingRequest)
    case handIn(ReplicaMessage)
    /// Deletes a lost edit, if it exists.
    case dismissLostEdit(UInt64)
}

/// The name of a device, for people: 1 to 64 bytes without control characters.
package struct ReplicaDeviceName: Hashable, Sendable {
    package let text: String

    /// - Throws: `.invalidArgument` for any other text.
    package init(_ text: String) throws(StoreError) {
        guard 1...MemberRecord.nameBytesMax ~= text.utf8.count, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
        else {
            throw .invalidArgument(
                "the name of a device must have 1 to \(MemberRecord.nameBytesMax) bytes and no control characters")
        }
        self.text = text
    }
}

/// The code of an invitation, as printed or typed. The secret is kept until the request is answered, because a
/// transaction that starts again performs its requests once more.
package final class ReplicaInvitationCode: Sendable {
    let secret: SecretBytes

    package init(_ secret: consuming SecretBytes) {
        self.secret = secret
    }
}

package enum ReplicaResult: Hashable, Sendable {
    case done
    /// The number of this store as a device: it has created the group, or has asked to join one.
    case device(UInt64)
    /// An invitation was created, which expires at this time.
    case invited(expiresAt: Timestamp)
    case taken([ReplicaOutgoing])
    case handedIn(ReplicaHandedIn)
}

extension ReplicaWrites {
    func perform(
        _ work: ReplicaWork, after progress: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<ReplicaResult> {
        switch work {
        case .create(let deviceName, let selection):
            try group.createReplicaGroup(deviceName, selection, after: progress)
        case .invite(let code, let microseconds): try group.invite(code, validForMicroseconds: microseconds)
        case .join(let code, let deviceName): try group.joinReplicaGroup(code, deviceName, after: progress)
        case .removeDevice(let device): try group.removeReplicaDevice(device)
        case .leave: try group.leaveReplicaGroup()
        case .take(let request): try channels.fetchOutgoing(request)
        case .handIn(let message): try channels.handIn(message, after: progress)
        case .dismissLostEdit(let id): try lostEdits.dismiss(id)
        }
    }
}
