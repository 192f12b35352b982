import ReplicaModel
import StoreBasics
import StoreCrypto

/// What a device that joins is told by the one that lets it in: the group, its devices, and the keys that batches are
/// sealed with.
struct ReplicaWelcome: ~Copyable {
    struct Head {
        var group: ReplicaID
        /// What brings it up to where the others are.
        var snapshot: ReplicaID
        var selection: ReplicaSelection
        var inviter: MemberRecord
        var members: [MemberRecord]
    }

    let head: Head
    /// Behind each other: number (4 bytes), maker (8), key (32).
    private let epochs: SecretBytes

    private static let epochBytes = 44
    private static let epochsMax = 4_096

    /// - Parameter key: of an epoch.
    static func encode(
        _ head: Head, _ epochs: [EpochID], key: (EpochID) throws(StoreError) -> EpochKey?
    ) throws(StoreError) -> SecretBytes {
        let headBytes = bytes(of: head)
        var welcome = try mappedKeys(SecretBytes(count: headBytes.count + epochs.count * epochBytes))
        welcome.withUnsafeMutableBytes { $0.copyBytes(from: headBytes) }
        for (index, epoch) in epochs.enumerated() {
            guard let key = try key(epoch) else { throw ReplicaTables.damaged }
            var name: [UInt8] = []
            name.append(bigEndian: epoch.number)
            name.append(bigEndian: epoch.maker)
            let offset = headBytes.count + index * epochBytes
            welcome.withUnsafeMutableBytes { bytes in
                let place = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + epochBytes)])
                place.copyBytes(from: name)
                key.bytes.withUnsafeBytes { key in
                    UnsafeMutableRawBufferPointer(rebasing: place[name.count...]).copyMemory(from: key)
                }
            }
        }
        return welcome
    }

    private static func bytes(of head: Head) -> [UInt8] {
        var bytes = head.group.bytes + head.snapshot.bytes
        bytes.append(sized: head.selection.bytes)
        bytes.append(sized: head.inviter.bytes)
        bytes.append(variableLength: head.members.count)
        head.members.forEach { bytes.append(sized: $0.bytes) }
        return bytes
    }

    /// - Returns: `nil` for bytes that are none.
    init?(_ bytes: borrowing SecretBytes) throws(StoreError) {
        var head: Head?
        let epochs = try bytes.withUnsafeBytes { (bytes) throws(StoreError) in
            var reader = ByteReader(bytes)
            head = Head(&reader)
            return try mappedKeys(SecretBytes(copying: reader.bytes(reader.remaining) ?? bytes))
        }
        guard let head, epochs.count.isMultiple(of: Self.epochBytes),
            1...Self.epochsMax ~= epochs.count / Self.epochBytes
        else { return nil }
        self.head = head
        self.epochs = epochs
    }

    /// Hands each epoch with its key to `body`.
    func forEachEpoch(_ body: (EpochID, consuming EpochKey) throws(StoreError) -> Void) throws(StoreError) {
        for index in 0..<(epochs.count / Self.epochBytes) {
            try hand(index, to: body)
        }
    }

    private func hand(
        _ index: Int, to body: (EpochID, consuming EpochKey) throws(StoreError) -> Void
    ) throws(StoreError) {
        let offset = index * Self.epochBytes
        try epochs.withUnsafeBytes { (bytes) throws(StoreError) in
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + Self.epochBytes)]))
            guard let number: UInt32 = reader.bigEndian(), let maker: UInt64 = reader.bigEndian(),
                let key = reader.bytes(reader.remaining)
            else { throw StoreError(.internal, "the epochs of a welcome were counted wrongly") }
            try body(
                EpochID(number: number, maker: maker), mappedKeys(EpochKey(bytes: SecretBytes(copying: key))))
        }
    }
}

extension ReplicaWelcome.Head {
    private static let membersMax = 4_096

    init?(_ reader: inout ByteReader) {
        guard let group = reader.bytes(ReplicaID.byteCount).flatMap({ ReplicaID($0) }),
            let snapshot = reader.bytes(ReplicaID.byteCount).flatMap({ ReplicaID($0) }),
            let selection = reader.sizedBytes().flatMap({ ReplicaSelection($0) }),
            let inviter = reader.sizedBytes().flatMap({ MemberRecord(exactly: $0) }),
            let count = reader.variableLength(), count <= Self.membersMax
        else { return nil }
        self.init(group: group, snapshot: snapshot, selection: selection, inviter: inviter, members: [])
        for _ in 0..<count {
            guard let member = reader.sizedBytes().flatMap({ MemberRecord(exactly: $0) }) else { return nil }
            members.append(member)
        }
    }
}
