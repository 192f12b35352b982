import ReplicaModel
import StoreBasics
import StoreCrypto

/// What a device that joins is told by the one that lets it in: the group, its devices, and the keys that batches are
/// sealed with. The keys are sealed for the device that has asked: the code alone, which somebody may have used, gives
/// nobody one.
struct ReplicaWelcome {
    /// A key of an epoch, for the device that joins.
    struct Key {
        var epoch: EpochID
        var sealedKey: [UInt8]
    }

    var group: ReplicaID
    /// What brings it up to where the others are.
    var snapshot: ReplicaID
    var selection: ReplicaSelection
    var inviter: MemberRecord
    var members: [MemberRecord]
    var keys: [Key]
    /// The clock of the inviter.
    var time: TimeRecord

    /// A device can have written it: each number is made of its key, and no epochs are left out that would make room
    /// for one that none can follow.
    var isPossible: Bool {
        let numbers = Set(keys.map(\.epoch.number)).sorted()
        return ([inviter] + members).allSatisfy(\.isPossible)
            && zip(numbers, numbers.dropFirst()).allSatisfy { $1 - $0 == 1 }
    }

    var bytes: [UInt8] {
        var bytes = group.bytes + snapshot.bytes
        bytes.append(sized: selection.bytes)
        bytes.append(sized: inviter.encoded())
        bytes.append(variableLength: members.count)
        members.forEach { bytes.append(sized: $0.encoded()) }
        bytes.append(variableLength: keys.count)
        for key in keys {
            bytes.append(bigEndian: key.epoch.number)
            bytes.append(bigEndian: key.epoch.maker)
            bytes += key.sealedKey
        }
        return bytes + time.bytes
    }

    /// - Returns: `nil` for bytes that are none.
    init?(_ bytes: borrowing SecretBytes) {
        guard let read = bytes.withUnsafeBytes({ ReplicaWelcome($0) }) else { return nil }
        self = read
    }

    private init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard let group = reader.bytes(ReplicaID.byteCount).flatMap({ ReplicaID($0) }),
            let snapshot = reader.bytes(ReplicaID.byteCount).flatMap({ ReplicaID($0) }),
            let selection = reader.sizedBytes().flatMap({ ReplicaSelection($0) }),
            let inviter = reader.sizedBytes().flatMap({ MemberRecord(record: $0) }),
            let memberCount = reader.variableLength(), memberCount <= ReplicaLimits.membersMax
        else { return nil }
        var (members, keys): ([MemberRecord], [Key]) = ([], [])
        for _ in 0..<memberCount {
            guard let member = reader.sizedBytes().flatMap({ MemberRecord(record: $0) }) else { return nil }
            members.append(member)
        }
        guard let keyCount = reader.variableLength(), 1...ReplicaLimits.welcomeKeysMax ~= keyCount else { return nil }
        for _ in 0..<keyCount {
            guard let number: UInt32 = reader.bigEndian(), let maker: UInt64 = reader.bigEndian(),
                let sealed = reader.bytes(EpochRecord.sealedKeyBytes)
            else { return nil }
            keys.append(Key(epoch: EpochID(number: number, maker: maker), sealedKey: [UInt8](sealed)))
        }
        guard let time = TimeRecord(&reader), reader.isAtEnd else { return nil }
        self.init(
            group: group, snapshot: snapshot, selection: selection, inviter: inviter, members: members, keys: keys,
            time: time)
    }

    init(
        group: ReplicaID, snapshot: ReplicaID, selection: ReplicaSelection, inviter: MemberRecord,
        members: [MemberRecord], keys: [Key], time: TimeRecord
    ) {
        self.group = group
        self.snapshot = snapshot
        self.selection = selection
        self.inviter = inviter
        self.members = members
        self.keys = keys
        self.time = time
    }
}
