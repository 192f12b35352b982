import StoreBasics

/// A sequence of messages in the stream of a group, such as the batches of one device. The name of the channel is a
/// part of the subject under which the messages are published.
package enum ReplicaChannel: Hashable, Sendable {
    /// The batches of a device, with numbers from 1 without gaps.
    case device(UInt64)
    /// The request of a device that joins by an invitation, sent to the device that gave the invitation.
    case joinRequest(ReplicaID)
    /// The answer to a join request.
    case joinWelcome(ReplicaID)
    /// The chunks of a snapshot, with numbers from 1 without gaps.
    case snapshot(ReplicaID)

    /// The name of the channel: lower-case words and hexadecimal digits between dots, such as
    /// `device.00c0ffee00c0ffee`.
    package var text: String {
        switch self {
        case .device(let device): "device.\(ReplicaDevice.text(device))"
        case .joinRequest(let id): "join.\(id.text).request"
        case .joinWelcome(let id): "join.\(id.text).welcome"
        case .snapshot(let id): "snapshot.\(id.text)"
        }
    }

    /// Creates a channel from its name; returns `nil` for any other text.
    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("device", 2):
            guard let device = ReplicaDevice.number(parts[1]) else { return nil }
            self = .device(device)
        case ("snapshot", 2):
            guard let id = ReplicaID(text: parts[1]) else { return nil }
            self = .snapshot(id)
        case ("join", 3):
            guard let id = ReplicaID(text: parts[1]) else { return nil }
            switch parts[2] {
            case "request": self = .joinRequest(id)
            case "welcome": self = .joinWelcome(id)
            default: return nil
            }
        default:
            return nil
        }
    }
}

/// The text form of a device's number.
package enum ReplicaDevice {
    /// Returns the number as 16 lower-case hexadecimal digits.
    package static func text(_ device: UInt64) -> String {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: device)
        return Hexadecimal.encode(bytes)
    }

    /// Returns the number of a text; `nil` unless it is 16 lower-case hexadecimal digits.
    package static func number(_ text: some StringProtocol) -> UInt64? {
        guard text.utf8.count == 16, let bytes = Hexadecimal.decode(text), Hexadecimal.encode(bytes) == text else {
            return nil
        }
        return bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            return reader.bigEndian()
        }
    }
}

/// A 16-byte id of a group, an invitation or a snapshot.
package struct ReplicaID: Hashable, Sendable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    /// Creates an id from its bytes; returns `nil` unless there are 16.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = [UInt8](bytes)
    }

    package static func random() -> ReplicaID {
        var generator = SystemRandomNumberGenerator()
        return ReplicaID(trusted: (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The id of a group that is not known yet.
    package static let none = ReplicaID(trusted: [UInt8](repeating: 0, count: byteCount))

    /// The id as 32 lower-case hexadecimal digits.
    package var text: String { Hexadecimal.encode(bytes) }

    package init?(text: some StringProtocol) {
        guard let bytes = Hexadecimal.decode(text), Hexadecimal.encode(bytes) == text else { return nil }
        self.init(bytes)
    }
}
