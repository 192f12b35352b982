package import StoreBasics

/// A request for a snapshot, from a device that has missed batches that the stream no longer contains.
package struct SnapshotRequestRecord: Hashable, Sendable {
    package var id: ReplicaID
    /// The device that should make the snapshot.
    package var maker: UInt64

    package init(id: ReplicaID, maker: UInt64) {
        self.id = id
        self.maker = maker
    }
}

/// The last record of a snapshot: for each device, the last batch whose changes the snapshot includes.
package struct PositionsRecord: Hashable, Sendable {
    package static let hashBytes = 32

    package struct Position: Hashable, Sendable {
        package var device: UInt64
        package var sequence: UInt64
        /// The hash of the batch `sequence` of the device; zeros if `sequence` is 0, before the first batch.
        package var hash: [UInt8]

        package init(device: UInt64, sequence: UInt64, hash: [UInt8]) {
            self.device = device
            self.sequence = sequence
            self.hash = hash
        }
    }

    package var positions: [Position]

    package init(positions: [Position]) {
        self.positions = positions
    }
}

/// For each other device, the last of its batches that the maker of this record has merged. A device is left out if the
/// maker has merged none of its batches since the maker's previous batch.
package struct KnownBatchesRecord: Hashable, Sendable {
    /// The last merged batch of a device. All earlier batches of the device are merged, too.
    package struct Last: Hashable, Sendable {
        package var device: UInt64
        package var sequence: UInt64

        package init(device: UInt64, sequence: UInt64) {
            self.device = device
            self.sequence = sequence
        }
    }

    package var last: [Last]

    package init(last: [Last]) {
        self.last = last
    }
}

/// A piece of encoded records that are too long for one message. Each piece is sent in a batch of its own, which
/// contains nothing else.
package struct PartRecord: Hashable, Sendable {
    /// The most bytes that the pieces may have together.
    package static let totalBytesMax = 16 << 20
    /// The least bytes of each piece except the last. The limit bounds the work of a device that receives the pieces,
    /// because it rewrites all earlier pieces with each new one.
    package static let pieceBytesMin = 64 << 10

    /// True for the last piece, after which the records of the batch are complete.
    package var isLast: Bool
    package var piece: [UInt8]

    package init(isLast: Bool, piece: [UInt8]) {
        self.isLast = isLast
        self.piece = piece
    }
}

// MARK: Stored form

extension PositionsRecord {
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for position in positions {
            bytes.append(bigEndian: position.device)
            bytes.append(bigEndian: position.sequence)
            bytes += position.hash
        }
        return bytes
    }

    package init?(_ reader: inout ByteReader) {
        self.init(positions: [])
        while !reader.isAtEnd {
            guard let device: UInt64 = reader.bigEndian(), let sequence: UInt64 = reader.bigEndian(),
                let hash = reader.bytes(Self.hashBytes)
            else { return nil }
            positions.append(Position(device: device, sequence: sequence, hash: [UInt8](hash)))
        }
    }
}
