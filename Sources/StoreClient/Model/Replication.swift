/// The number of a device in its group, as people and channels write it: 16 lower-case hexadecimal digits.
public struct ReplicaDeviceID: RawRepresentable, Hashable, Sendable, Codable, LosslessStringConvertible {
    /// As the protocol has it.
    public let number: UInt64

    /// - Parameter number: as the protocol has it.
    public init(number: UInt64) {
        self.number = number
    }

    /// - Returns: `nil` for what is not 16 hexadecimal digits.
    public init?(_ description: String) {
        // The conversion also takes a sign.
        guard description.utf8.count == 16, description.utf8.first != UInt8(ascii: "+"),
            description.utf8.first != UInt8(ascii: "-"), let number = UInt64(description, radix: 16)
        else { return nil }
        self.number = number
    }

    /// 16 lower-case hexadecimal digits.
    public var description: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// As `description`.
    public var rawValue: String { description }

    /// As `init(_:)`.
    public init?(rawValue: String) {
        self.init(rawValue)
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

extension ReplicaMessage {
    /// The size of the largest message, in bytes.
    public static let bytesMax = 1 << 20
}
