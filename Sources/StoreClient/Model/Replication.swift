/// The number of a device in its replica group. In texts and in the group's streams it has 16 lower-case hexadecimal
/// digits.
public struct ReplicaDeviceID: RawRepresentable, Hashable, Sendable, Codable, LosslessStringConvertible {
    /// The number in the protocol.
    public let number: UInt64

    /// - Parameter number: The number in the protocol.
    public init(number: UInt64) {
        self.number = number
    }

    /// Creates the number from its hexadecimal text.
    ///
    /// - Returns: `nil` unless the text has 16 hexadecimal digits.
    public init?(_ description: String) {
        // `UInt64(_:radix:)` would also accept a sign.
        guard description.utf8.count == 16, description.utf8.first != UInt8(ascii: "+"),
            description.utf8.first != UInt8(ascii: "-"), let number = UInt64(description, radix: 16)
        else { return nil }
        self.number = number
    }

    /// The number as 16 lower-case hexadecimal digits.
    public var description: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The text form of the number, as in `description`.
    public var rawValue: String { description }

    /// Creates the number as `init(_:)` does.
    public init?(rawValue: String) {
        self.init(rawValue)
    }
}

/// The reason why a message of a replica group's stream waits or was refused. Compare it with the reasons named here.
/// For any other reason, follow `HandedInReplicaMessage.outcome`.
public struct ReplicaReason: RawRepresentable, Hashable, Sendable, Codable {
    /// The word in the protocol.
    public let rawValue: String

    /// - Parameter rawValue: The word in the protocol.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension ReplicaMessage {
    /// The daemon refuses messages with more bytes.
    public static let bytesMax = 1 << 20
}
