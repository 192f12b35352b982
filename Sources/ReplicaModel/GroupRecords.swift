package import StoreBasics

/// A device that belongs to the group. Never changes, so that it does not matter who tells of it how often.
package struct MemberRecord: Hashable, Sendable {
    package static let keyBytes = 32
    package static let nameBytesMax = 64

    package var device: UInt64
    /// Ed25519.
    package var signingKey: [UInt8]
    /// X25519.
    package var receivingKey: [UInt8]
    /// For people.
    package var name: String

    package init(device: UInt64, signingKey: [UInt8], receivingKey: [UInt8], name: String) {
        self.device = device
        self.signingKey = signingKey
        self.receivingKey = receivingKey
        self.name = name
    }
}

/// A device that belongs to the group no more. Of several removals the one that takes the most of its batches holds, so
/// that all stores take the same ones.
package struct MemberRemovalRecord: Hashable, Sendable {
    package var device: UInt64
    /// Its batches up to this one are still of the group.
    package var throughSequence: UInt64

    package init(device: UInt64, throughSequence: UInt64) {
        self.device = device
        self.throughSequence = throughSequence
    }
}

/// Which key batches are sealed with: the greatest that a device knows.
package struct EpochID: Hashable, Comparable, Sendable {
    package var number: UInt32
    /// The device that made it.
    package var maker: UInt64

    package init(number: UInt32, maker: UInt64) {
        self.number = number
        self.maker = maker
    }

    package static func < (left: EpochID, right: EpochID) -> Bool {
        left.number == right.number ? left.maker < right.maker : left.number < right.number
    }
}

/// The key of an epoch, for members: those that were some when it was made, or one that came later.
package struct EpochRecord: Hashable, Sendable {
    package static let sealedKeyBytes = 80

    package struct Grant: Hashable, Sendable {
        package var device: UInt64
        /// The key, sealed to the device's receiving key.
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

/// The clock of the device that seals a message; the first record of the message.
package struct TimeRecord: Hashable, Sendable {
    /// In microseconds since 1970, as far as the device believes its clock.
    package var time: Int64
    /// True if a time service keeps the clock.
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
