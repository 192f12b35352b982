package import StoreBasics

/// A device has missed batches that the log keeps no more, and asks another for a snapshot.
package struct SnapshotRequestRecord: Hashable, Sendable {
    /// Of the snapshot that it waits for.
    package var id: ReplicaID
    /// Who is to make it.
    package var maker: UInt64

    package init(id: ReplicaID, maker: UInt64) {
        self.id = id
        self.maker = maker
    }
}

/// Up to which batches a snapshot holds everything: goes behind all else in it.
package struct PositionsRecord: Hashable, Sendable {
    package static let hashBytes = 32

    package struct Position: Hashable, Sendable {
        package var device: UInt64
        package var sequence: UInt64
        /// Of that batch; zeros before the first.
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

/// A piece of records that are too long for one message; nothing else is in its batch.
package struct PartRecord: Hashable, Sendable {
    /// How much may be put together.
    package static let totalBytesMax = 16 << 20
    /// What each but the last has at least: what was put together is written anew with each of them.
    package static let pieceBytesMin = 64 << 10

    /// With this one the records are whole.
    package var isLast: Bool
    package var piece: [UInt8]

    package init(isLast: Bool, piece: [UInt8]) {
        self.isLast = isLast
        self.piece = piece
    }
}

// MARK: At rest

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
