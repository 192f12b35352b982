package import ReplicaModel
package import StoreBasics
package import StoreCrypto

/// What is asked of the writer about the store's group.
package enum ReplicaWork: Sendable {
    case create(deviceName: ReplicaDeviceName, ReplicaSelection)
    case invite(ReplicaInvitationCode, expiresAt: Timestamp)
    case join(ReplicaInvitationCode, deviceName: ReplicaDeviceName)
    case removeDevice(UInt64)
    case leave
    case take(ReplicaTake)
    case handIn(ReplicaMessage)
}

/// For people: 1 to 64 bytes without control characters.
package struct ReplicaDeviceName: Hashable, Sendable {
    package let text: String

    /// - Throws: `.invalidArgument`.
    package init(_ text: String) throws(StoreError) {
        guard 1...MemberRecord.nameBytesMax ~= text.utf8.count, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
        else {
            throw .invalidArgument(
                "the name of a device has 1 to \(MemberRecord.nameBytesMax) bytes and no control characters")
        }
        self.text = text
    }
}

/// The code of an invitation, as printed or typed. Can be taken once.
package struct ReplicaInvitationCode: Sendable {
    let box: SecretBox

    package init(_ code: consuming SecretBytes) {
        box = SecretBox(code)
    }

    func taken() throws(StoreError) -> SecretBytes {
        guard let code = box.take() else { throw StoreError(.internal, "the code of an invitation was taken twice") }
        return code
    }
}

/// Asks for the messages of a channel behind a place.
package struct ReplicaTake: Sendable {
    package var channel: ReplicaChannel
    /// Those up to this one are in the group's log, durably: the store forgets them.
    package var storedThrough: UInt64
    /// Messages are added as long as they fit; the first always does.
    package var bytesMax: Int

    package init(channel: ReplicaChannel, storedThrough: UInt64, bytesMax: Int) {
        self.channel = channel
        self.storedThrough = storedThrough
        self.bytesMax = bytesMax
    }
}

/// A message of the group's log, as it came.
package struct ReplicaMessage: Hashable, Sendable {
    package var channel: ReplicaChannel
    package var bytes: [UInt8]
    /// The log keeps none of this channel that is older.
    package var isOldestKept: Bool

    package init(channel: ReplicaChannel, bytes: [UInt8], isOldestKept: Bool) {
        self.channel = channel
        self.bytes = bytes
        self.isOldestKept = isOldestKept
    }
}

/// A message for the group's log.
package struct ReplicaOutgoing: Hashable, Sendable {
    package var sequence: UInt64
    package var bytes: [UInt8]
}

/// What work on the group came to.
package enum ReplicaResult: Hashable, Sendable {
    case done
    /// Made, or asked to be let in.
    case device(UInt64)
    case taken([ReplicaOutgoing])
    case handedIn(ReplicaHandedIn)
}

/// What became of a message of the log.
package enum ReplicaHandedIn: Hashable, Sendable {
    /// What it says is in the store, durably, or was before.
    case merged(nextSequence: UInt64)
    /// To be handed in again later, behind others.
    case waits(ReplicaWait)
    /// Never to be handed in again.
    case refused(ReplicaRefusal)
}

/// What a message waits for.
package enum ReplicaWait: Hashable, Sendable {
    /// No message has told of its device yet.
    case deviceUnknown
    /// No message has told of the key it is sealed with yet.
    case epochUnknown
    /// The message with this sequence, which comes before it.
    case earlierMessage(sequence: UInt64)
    /// Messages before it are gone, and a snapshot was asked for.
    case snapshot
    /// A later version of this program, which knows what it holds.
    case laterVersion
    /// The clock: it was made years ahead of it.
    case timeAhead
    /// The store to have joined.
    case membership
}

/// Why a message is refused. The raw values are kept at rest.
package enum ReplicaRefusal: String, Hashable, Sendable, CaseIterable {
    /// It is no message, or cut off, or holds what no store can have written.
    case malformed = "malformed"
    /// It was not signed by its device.
    case forged = "forged"
    /// It is of another group.
    case otherGroup = "otherGroup"
    /// It was published as one of another channel.
    case otherChannel = "otherChannel"
    /// Its device has made two different messages with one sequence: its store was copied.
    case forked = "forked"
    /// The key that it names does not open it.
    case notOpened = "notOpened"
    /// Its device was removed from the group before it made it.
    case deviceRemoved = "deviceRemoved"
    /// The invitation is over, used, or none that was given here.
    case invitationOver = "invitationOver"
    /// Nobody here waits for it.
    case notAwaited = "notAwaited"
}

extension WriteSession {
    mutating func perform(_ work: ReplicaWork, after progress: LongWork?) throws(StoreError) -> WorkStep {
        switch work {
        case .create(let deviceName, let selection):
            try createReplicaGroup(deviceName, selection, after: progress)
        case .invite(let code, let expiresAt): try invite(code, expiresAt: expiresAt)
        case .join(let code, let deviceName): try joinReplicaGroup(code, deviceName, after: progress)
        case .removeDevice(let device): try removeReplicaDevice(device)
        case .leave: try leaveReplicaGroup()
        case .take(let take): try self.take(take)
        case .handIn(let message): try handIn(message, after: progress)
        }
    }
}
