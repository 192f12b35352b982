import ReplicaModel
import StoreBasics
import StoreCrypto

/// The welcome of a device that joins: the group, its devices, and the keys of its epochs. The keys are sealed for the
/// device that asked, so the code alone, which another person may know, is not enough to get a key.
struct ReplicaWelcome {
    /// The key of an epoch, sealed for the device that joins.
    struct Key {
        var epoch: EpochID
        var sealedKey: [UInt8]
    }

    var group: ReplicaID
    /// The snapshot that gives the device the content of the group.
    var snapshot: ReplicaID
    var selection: ReplicaSelection
    var inviter: MemberRecord
    var members: [MemberRecord]
    var keys: [Key]
    /// The inviter's clock when the welcome was sealed.
    var time: TimeRecord

    /// True if a device can have written the welcome: each device's number matches its key, and the numbers of the
    /// epochs have no gap. A gap could lead to a number so great that no epoch can follow.
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

    /// Returns `nil` for bytes that are not a welcome.
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
