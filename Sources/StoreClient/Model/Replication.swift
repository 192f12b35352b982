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

/// Why a message of a group's log waits or was refused. Compare it with the ones named here, and treat one that is not
/// as `HandedInReplicaMessage.outcome` says.
public struct ReplicaReason: RawRepresentable, Hashable, Sendable, Codable {
    /// The word of the protocol.
    public let rawValue: String

    /// - Parameter rawValue: the word of the protocol.
    public init(rawValue: String) {
        self.rawValue = rawValue
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

extension ReplicaMessage {
    /// The size of the largest message, in bytes.
    public static let bytesMax = 1 << 20
}
