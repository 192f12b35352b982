package import StoreBasics

/// A device that belongs to the group. The record of a device never changes, so that it may be sent any number of
/// times, by any device.
package struct MemberRecord: Hashable, Sendable {
    package static let keyBytes = 32
    package static let nameBytesMax = 64

    package var device: UInt64
    /// The public Ed25519 key.
    package var signingKey: [UInt8]
    /// The public X25519 key.
    package var receivingKey: [UInt8]
    /// The name of the device for people.
    package var name: String

    package init(device: UInt64, signingKey: [UInt8], receivingKey: [UInt8], name: String) {
        self.device = device
        self.signingKey = signingKey
        self.receivingKey = receivingKey
        self.name = name
    }
}

/// The removal of a device from the group. If a device was removed several times, the removal with the highest
/// `throughSequence` is valid, so that all stores accept the same batches.
package struct MemberRemovalRecord: Hashable, Sendable {
    package var device: UInt64
    /// The number of the device's last batch that still belongs to the group.
    package var throughSequence: UInt64

    package init(device: UInt64, throughSequence: UInt64) {
        self.device = device
        self.throughSequence = throughSequence
    }
}

/// The id of the key that seals batches. A device uses the greatest id that it knows.
package struct EpochID: Hashable, Comparable, Sendable {
    package var number: UInt32
    /// The device that created the epoch.
    package var maker: UInt64

    package init(number: UInt32, maker: UInt64) {
        self.number = number
        self.maker = maker
    }

    package static func < (left: EpochID, right: EpochID) -> Bool {
        left.number == right.number ? left.maker < right.maker : left.number < right.number
    }
}

/// The key of an epoch, sealed for each device that was a member when the epoch was created, or for a member that
/// joined later.
package struct EpochRecord: Hashable, Sendable {
    package static let sealedKeyBytes = 80

    package struct Grant: Hashable, Sendable {
        package var device: UInt64
        /// The key, sealed for the device's receiving key.
        package var sealedKey: [UInt8]

        package init(device: UInt64, sealedKey: [UInt8]) {
            self.device = device
            self.sealedKey = sealedKey
        }
    }

    package var id: EpochID
    package var grants: [Grant]

    package init(id: EpochID, grants: [Grant]) {
        self.id = id
        self.grants = grants
    }
}

/// The time on the device that sealed a message, sent as the first record of the message.
package struct TimeRecord: Hashable, Sendable {
    /// Microseconds since 1970: the wall clock of the device, or an earlier time while the device does not believe its
    /// wall clock (see `StoreClock`).
    package var time: Int64
    /// True if a time service keeps the clock synchronized.
    package var isSynchronized: Bool

    package init(time: Int64, isSynchronized: Bool) {
        self.time = time
        self.isSynchronized = isSynchronized
    }

    package static let byteCount = 9

    package init?(exactly bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        let read: TimeRecord? = bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            return TimeRecord(&reader)
        }
        guard let read else { return nil }
        self = read
    }

    package init?(_ reader: inout ByteReader) {
        guard let time: UInt64 = reader.bigEndian(), let isSynchronized = reader.flag() else { return nil }
        self.init(time: Int64(bitPattern: time), isSynchronized: isSynchronized)
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: time))
        bytes.append(isSynchronized ? 1 : 0)
        return bytes
    }
}
