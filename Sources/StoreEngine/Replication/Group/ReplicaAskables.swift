import SQLCipher
import StoreBasics

/// The devices to which this store can send requests, in the order of their numbers.
struct ReplicaAskables {
    private let members: [ReplicaMember]

    init(_ connection: Connection) throws(StoreError) {
        members = try ReplicaMemberRows.all(connection).filter(\.isAskable).sorted { $0.device < $1.device }
    }

    var isEmpty: Bool { members.isEmpty }
    var count: Int { members.count }

    func contains(_ device: UInt64) -> Bool {
        members.contains { $0.device == device }
    }

    /// The device whose last message is the most recent. This device is the most likely to be switched on.
    var newest: UInt64? {
        members.max { ($0.mergedAt?.microseconds ?? .min) < ($1.mergedAt?.microseconds ?? .min) }?.device
    }

    /// Returns the devices in the order in which they are asked for lost messages of a device: first that device, which
    /// certainly has them, then the other devices by their numbers.
    func order(for device: UInt64) -> [UInt64] {
        let others = members.map(\.device).filter { $0 != device }
        return contains(device) ? [device] + others : others
    }

    /// Returns the device to ask after a device that does not answer. Devices take turns in the order of their numbers,
    /// even if one of them sent messages in the meantime.
    func next(after device: UInt64) -> UInt64? {
        (members.first { $0.device > device } ?? members.first)?.device
    }
}
