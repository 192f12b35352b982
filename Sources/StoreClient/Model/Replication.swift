/// The number of a device in its group, as people and channels write it: 16 lower-case hexadecimal digits.
public struct ReplicaDeviceID: Hashable, Sendable, Codable, CustomStringConvertible, LosslessStringConvertible {
    /// As the protocol has it.
    public let number: UInt64

    /// - Parameter number: as the protocol has it.
    public init(number: UInt64) {
        self.number = number
    }

    /// - Returns: `nil` for what is not 16 hexadecimal digits.
    public init?(_ description: String) {
        guard description.utf8.count == 16, description.utf8.allSatisfy({ $0.isHexadecimalDigit }),
            let number = UInt64(description, radix: 16)
        else { return nil }
        self.number = number
    }

    /// 16 lower-case hexadecimal digits.
    public var description: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// As `description`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ReplicaDeviceID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not 16 hexadecimal digits")
        }
        self = id
    }

    /// As `description`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

/// What a store is to its group.
public enum ReplicaState: String, Hashable, Sendable, CaseIterable, Codable {
    /// Asked to be let in.
    case joining
    /// Was let in, and receives what the others hold.
    case receiving
    /// Takes part.
    case member
    /// Another device has removed this one.
    case removed
    /// A backup took the store's place: it is not the device any more that it was.
    case changed
    /// A state this client does not know yet.
    case unknown
}

/// Why a message of a group's log waits or was refused. Compare it with the ones named here, and treat one that is not
/// as `HandedInReplicaMessage.outcome` says.
public struct ReplicaReason: RawRepresentable, Hashable, Sendable, Codable {
    /// The word of the protocol.
    public let rawValue: String

    /// - Parameter rawValue: the word of the protocol.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Waits: no message has told of its device yet.
    public static let deviceUnknown = Self(rawValue: "DEVICE_UNKNOWN")
    /// Waits: no message has told of the key it is sealed with yet.
    public static let epochUnknown = Self(rawValue: "EPOCH_UNKNOWN")
    /// Waits for the message with the sequence that is told, which comes before it.
    public static let earlierMessageMissing = Self(rawValue: "EARLIER_MESSAGE_MISSING")
    /// Waits: messages before it are gone, and a snapshot was asked for.
    public static let snapshotAwaited = Self(rawValue: "SNAPSHOT_AWAITED")
    /// Waits for a later version of the daemon, which knows what it holds.
    public static let laterVersion = Self(rawValue: "LATER_VERSION")
    /// Waits for the store to have joined.
    public static let notAMember = Self(rawValue: "NOT_A_MEMBER")
    /// Waits for the clock: it names times that are years ahead.
    public static let timeAhead = Self(rawValue: "TIME_AHEAD")
    /// It is no message, or cut off, or holds what no store can have written.
    public static let malformed = Self(rawValue: "MALFORMED")
    /// It was not signed by its device.
    public static let forged = Self(rawValue: "FORGED")
    /// It is of another group.
    public static let otherGroup = Self(rawValue: "OTHER_GROUP")
    /// It was published as one of another channel.
    public static let otherChannel = Self(rawValue: "OTHER_CHANNEL")
    /// Its device has made two messages with one sequence: its store was copied.
    public static let forked = Self(rawValue: "FORKED")
    /// The key that it names does not open it.
    public static let notOpened = Self(rawValue: "NOT_OPENED")
    /// Its device was removed from the group before it made it.
    public static let deviceRemoved = Self(rawValue: "DEVICE_REMOVED")
    /// The invitation is over, used, or none that was given here.
    public static let invitationOver = Self(rawValue: "INVITATION_OVER")
    /// Nobody here waits for it.
    public static let notAwaited = Self(rawValue: "NOT_AWAITED")
}

/// Another device of the group.
public struct ReplicaDevice: Hashable, Sendable, Codable {
    /// What the calls name it by.
    public var id: ReplicaDeviceID
    /// Chosen by the person.
    public var name: String
    /// Up to which of its messages all are merged here.
    public var mergedSequence: UInt64
    /// When the last one was merged, by this daemon's clock; `nil` for none.
    public var mergedAt: Timestamp?
    /// Up to which of this store's messages it has merged all, as it told last: every ten minutes where it has changes
    /// to tell, and once a day. 0 where it has not told.
    public var heldSequence: UInt64
    /// When that came, by this daemon's clock; `nil` where it has not told.
    public var heldAt: Timestamp?
    /// Of a device that was removed: the last of its messages that counts.
    public var removedThrough: UInt64?
    /// Why no more of its messages are taken; `nil`: they are.
    public var fault: ReplicaReason?
    /// Milliseconds by which the device is ahead of this daemon's clock, if that is more than ten minutes: by its own
    /// clock, or by the clock of a device whose changes it has changed again.
    public var aheadMilliseconds: UInt64
    /// Milliseconds by which this daemon's clock is ahead of the clock that the device last reported, if that is more
    /// than ten minutes. Messages that are kept for a time stay that much longer here.
    public var behindMilliseconds: UInt64
    /// The sequence of its last message that is known here.
    public var knownSequence: UInt64
    /// Since when messages of the device up to `knownSequence` have been known to be missing here: the group's log has
    /// lost them, or has not brought them for ten minutes. `nil` if none is missing.
    public var missingSince: Timestamp?
    /// The device that was asked last for what is missing; `nil` if none was asked, or nothing is missing.
    public var askedDevice: ReplicaDeviceID?

    /// For tests and previews: the calls of a client make their own.
    public init(
        id: ReplicaDeviceID, name: String, mergedSequence: UInt64 = 0, mergedAt: Timestamp? = nil,
        heldSequence: UInt64 = 0, heldAt: Timestamp? = nil, removedThrough: UInt64? = nil,
        fault: ReplicaReason? = nil, aheadMilliseconds: UInt64 = 0, behindMilliseconds: UInt64 = 0,
        knownSequence: UInt64 = 0, missingSince: Timestamp? = nil, askedDevice: ReplicaDeviceID? = nil
    ) {
        self.id = id
        self.name = name
        self.mergedSequence = mergedSequence
        self.mergedAt = mergedAt
        self.heldSequence = heldSequence
        self.heldAt = heldAt
        self.removedThrough = removedThrough
        self.fault = fault
        self.aheadMilliseconds = aheadMilliseconds
        self.behindMilliseconds = behindMilliseconds
        self.knownSequence = knownSequence
        self.missingSince = missingSince
        self.askedDevice = askedDevice
    }
}

/// A channel of the group's log, with the sequence up to which this store has written or read it.
public struct ReplicaPlace: Hashable, Sendable, Codable {
    /// Such as `device.00c0ffee00c0ffee`.
    public var channel: String
    /// The log has all up to it, or all up to it are merged here.
    public var sequence: UInt64

    /// For tests and previews: the calls of a client make their own.
    public init(channel: String, sequence: UInt64) {
        self.channel = channel
        self.sequence = sequence
    }
}

/// What a store knows of its group.
public struct ReplicaStatus: Hashable, Sendable, Codable {
    /// 16 bytes; zeros while the group is not known yet.
    public var groupID: [UInt8]
    /// What the store is to it.
    public var state: ReplicaState
    /// This store's device.
    public var device: ReplicaDeviceID
    /// Chosen by the person.
    public var deviceName: String
    /// The rules of what takes part: areas, or `AREA:PATTERN`.
    public var selection: [String]
    /// The last message that was made here of this device's channel.
    public var lastSequence: UInt64
    /// The last of them that the group's log has.
    public var storedThrough: UInt64
    /// Messages that wait to be taken to the group's log, in all channels.
    public var waitingCount: Int
    /// Their bytes.
    public var waitingBytes: UInt64
    /// Of changes that are in no message yet.
    public var uncollectedRevisions: UInt64
    /// The others, also such as were removed, by their numbers.
    public var devices: [ReplicaDevice]
    /// Ends of invitations that nobody has used.
    public var invitationExpiries: [Timestamp]
    /// What is taken from here.
    public var outgoing: [ReplicaPlace]
    /// What is handed in here.
    public var followed: [ReplicaPlace]

    /// For tests and previews: the calls of a client make their own.
    public init(
        groupID: [UInt8], state: ReplicaState, device: ReplicaDeviceID, deviceName: String, selection: [String] = [],
        lastSequence: UInt64 = 0, storedThrough: UInt64 = 0, waitingCount: Int = 0, waitingBytes: UInt64 = 0,
        uncollectedRevisions: UInt64 = 0, devices: [ReplicaDevice] = [], invitationExpiries: [Timestamp] = [],
        outgoing: [ReplicaPlace] = [], followed: [ReplicaPlace] = []
    ) {
        self.groupID = groupID
        self.state = state
        self.device = device
        self.deviceName = deviceName
        self.selection = selection
        self.lastSequence = lastSequence
        self.storedThrough = storedThrough
        self.waitingCount = waitingCount
        self.waitingBytes = waitingBytes
        self.uncollectedRevisions = uncollectedRevisions
        self.devices = devices
        self.invitationExpiries = invitationExpiries
        self.outgoing = outgoing
        self.followed = followed
    }
}

/// A message for the group's log, sealed.
public struct ReplicaMessage: Hashable, Sendable {
    /// Bytes of the longest one.
    public static let bytesMax = 1 << 20

    /// Its place in its channel: from 1 on, without gaps.
    public var sequence: UInt64
    /// What the log is to hold, as it is.
    public var bytes: [UInt8]

    /// For tests and previews: the calls of a client make their own.
    public init(sequence: UInt64, bytes: [UInt8]) {
        self.sequence = sequence
        self.bytes = bytes
    }
}

/// What became of a message of the group's log.
public struct HandedInReplicaMessage: Hashable, Sendable {
    /// Whether it is done with.
    public enum Outcome: String, Hashable, Sendable, CaseIterable, Codable {
        /// What it says is in the store, durably, or was before.
        case merged
        /// To be handed in again later, behind others.
        case waits
        /// Never to be handed in again.
        case refused
        /// An outcome this client does not know yet.
        case unknown
    }

    /// Whether it is done with.
    public var outcome: Outcome
    /// Why it waits or was refused.
    public var reason: ReplicaReason?
    /// Of one that was merged, and with `.earlierMessageMissing`: the sequence that the channel goes on with.
    public var nextSequence: UInt64?

    /// For tests and previews: the calls of a client make their own.
    public init(outcome: Outcome, reason: ReplicaReason? = nil, nextSequence: UInt64? = nil) {
        self.outcome = outcome
        self.reason = reason
        self.nextSequence = nextSequence
    }
}

/// An invitation that was made. Its code lets one device in, until its end.
public struct ReplicaInvitation: ~Copyable, Sendable {
    /// By the daemon's clock.
    public let expiresAt: Timestamp
    var code: RecoveryCodeOutput?

    /// Only the first time: write it out now, it cannot be had again.
    public mutating func takeCode() -> RecoveryCodeOutput? {
        code.take()
    }
}
