import ReplicaModel
import SQLCipher
import StoreBasics

/// Another device of the group: its keys and name, and how far this store has merged its batches. The keys are empty if
/// the device was removed before this store received them.
struct ReplicaMember {
    let device: UInt64
    var signingKey: [UInt8] = []
    var receivingKey: [UInt8] = []
    var name = ""
    /// True if this store invited the device.
    var isAddedHere = false
    /// True if the device invited this store.
    var isInviter = false
    var mergedSequence: UInt64 = 0
    var mergedHash = ReplicaGroupRow.noHash
    /// True if `mergedSequence` comes from another device's snapshot and no batch of the device has confirmed it yet.
    var isPlaceUnconfirmed = false
    /// True if the stream has lost the next batches of the device, as a later batch shows.
    var isGapped = false
    /// True if every other device was asked for the lost batches of this member, and then the member itself again.
    var isRoundOver = false
    /// The sequence up to which the device has merged all of this store's batches, as it reported.
    var heldSequence: UInt64 = 0
    /// When the device reported `heldSequence`.
    var heldAt: Timestamp?
    /// When the last batch of the device was merged; `nil` if none was.
    var mergedAt: Timestamp?
    /// The sequence of the device's last batch that is accepted, if the device was removed; otherwise `nil`.
    var removedThrough: UInt64?
    /// True if this store removed the device.
    var isRemovedHere = false
    /// The reason why batches of the device are no longer accepted; `nil` if they are.
    var fault: ReplicaRefusal?
    /// The milliseconds by which the device's last stamp was ahead; 0 unless that was too far for this store's clock to
    /// follow.
    var aheadMilliseconds: UInt64 = 0
    /// The device's clock minus this store's age, both at the time when the device's last batch came; `nil` if no batch
    /// contained the device's clock.
    var timeOffset: Int64?
    /// The batches of the device that are known to be missing here.
    var arrears = ReplicaArrears()

    var isKnown: Bool { !signingKey.isEmpty }
    var isRemoved: Bool { removedThrough != nil }
    var isInGroup: Bool { isKnown && !isRemoved }
    /// True if this store sends requests to the device: the device belongs to the group, and its batches are accepted.
    var isAskable: Bool { isInGroup && fault == nil }

    mutating func know(_ record: MemberRecord) {
        signingKey = record.signingKey
        receivingKey = record.receivingKey
        name = record.name
    }

    var record: MemberRecord {
        MemberRecord(device: device, signingKey: signingKey, receivingKey: receivingKey, name: name)
    }
}

/// The rows of `replica_members`: the other devices of the group, including removed ones.
enum ReplicaMemberRows {
    static func read(_ device: UInt64, _ connection: Connection) throws(StoreError) -> ReplicaMember? {
        guard let row = try connection.first(selectOne, DeviceColumn(device)) else { return nil }
        return try member(row)
    }

    /// Returns the sequence up to which all batches of a device are merged here; 0 for an unknown device.
    static func mergedSequence(of device: UInt64, _ connection: Connection) throws(StoreError) -> UInt64 {
        try read(device, connection)?.mergedSequence ?? 0
    }

    /// Returns the row of a device, or a new one for an unknown device; `nil` if a new one would exceed the limit.
    static func readOrNew(_ device: UInt64, _ connection: Connection) throws(StoreError) -> ReplicaMember? {
        if let known = try read(device, connection) { return known }
        return try hasRoom(connection) ? ReplicaMember(device: device) : nil
    }

    static func hasRoom(_ connection: Connection) throws(StoreError) -> Bool {
        (try connection.first(count)?.integer(0) ?? 0) < Int64(ReplicaLimits.membersMax)
    }

    /// Returns all rows, in the order of the devices' numbers.
    static func all(_ connection: Connection) throws(StoreError) -> [ReplicaMember] {
        let rows = try connection.rows(selectAll)
        var members: [ReplicaMember] = []
        while try rows.next() {
            members.append(try member(rows))
        }
        return members
    }

    /// Returns a device whose missing batches are to be requested; `nil` for no device. Three conditions hold for the
    /// device. Another device reported some time ago that it has made a batch that is not merged here. None of its
    /// batches was merged in the last minutes. No device was asked for its batches in the last hours.
    static func behind(now: Timestamp, _ connection: Connection) throws(StoreError) -> ReplicaMember? {
        let reported = now.advanced(byMicroseconds: -ReplicaTimes.behind)
        let asked = now.advanced(byMicroseconds: -ReplicaTimes.askingAgain)
        guard let row = try connection.first(selectBehind, reported, asked, now) else { return nil }
        return try member(row)
    }

    /// Returns the sequence of the device's newest batch from which a request for a snapshot was accepted; 0 for none.
    static func askedIn(_ device: UInt64, _ connection: Connection) throws(StoreError) -> UInt64 {
        try connection.first(selectAskedIn, DeviceColumn(device))?.unsigned(0) ?? 0
    }

    static func setAskedIn(
        _ sequence: UInt64, by device: UInt64, _ connection: Connection
    ) throws(StoreError) {
        try connection.run(updateAskedIn, DeviceColumn(device), sequence)
    }

    static func write(_ member: ReplicaMember, _ connection: Connection) throws(StoreError) {
        let flags =
            (member.isAddedHere ? addedHere : 0) | (member.isRemovedHere ? removedHere : 0)
            | (member.isInviter ? inviter : 0) | (member.isPlaceUnconfirmed ? placeUnconfirmed : 0)
            | (member.isGapped ? gapped : 0) | (member.isRoundOver ? roundOver : 0)
        try connection.runOrInsert(
            update, insert, DeviceColumn(member.device), member.signingKey, member.receivingKey, member.name,
            flags,
            member.mergedSequence, member.mergedHash, member.mergedAt?.microseconds,
            member.removedThrough.map { Int64(clamping: $0) }, member.fault?.rawValue, member.aheadMilliseconds,
            member.arrears.reportedSequence, member.arrears.reportedAt,
            member.arrears.reporter.map(DeviceColumn.init), member.arrears.keyAwaitedSince,
            member.arrears.askedDevice.map(DeviceColumn.init), member.arrears.askedAt, member.heldSequence,
            member.heldAt, member.timeOffset, member.arrears.orderAwaitedSince)
    }

    private static let addedHere: Int64 = 1
    private static let removedHere: Int64 = 2
    private static let inviter: Int64 = 4
    static let placeUnconfirmed: Int64 = 8
    private static let gapped: Int64 = 16
    private static let roundOver: Int64 = 32
    /// The greatest value of `flags`, in which every flag is set.
    static let flagsMax = addedHere | removedHere | inviter | placeUnconfirmed | gapped | roundOver

    /// Decodes the reason for which a device is refused. An unknown reason is damage: accepting the device's batches
    /// again would be wrong.
    private static func fault(_ text: String?) throws(StoreError) -> ReplicaRefusal? {
        guard let text else { return nil }
        guard let fault = ReplicaRefusal(rawValue: text) else { throw ReplicaTables.damaged }
        return fault
    }

    private static func member(_ row: borrowing Rows) throws(StoreError) -> ReplicaMember {
        let flags = row.integer(4)
        return ReplicaMember(
            device: row.device(0), signingKey: row.bytes(1), receivingKey: row.bytes(2),
            name: try row.text(3), isAddedHere: flags & addedHere != 0, isInviter: flags & inviter != 0,
            mergedSequence: row.unsigned(5), mergedHash: row.bytes(6),
            isPlaceUnconfirmed: flags & placeUnconfirmed != 0, isGapped: flags & gapped != 0,
            isRoundOver: flags & roundOver != 0, heldSequence: row.unsigned(17),
            heldAt: row.optionalTimestamp(18), mergedAt: row.optionalTimestamp(7),
            removedThrough: row.isNull(8) ? nil : row.unsigned(8), isRemovedHere: flags & removedHere != 0,
            fault: try fault(row.optionalText(9)), aheadMilliseconds: row.unsigned(10),
            timeOffset: row.optionalInteger(19), arrears: ReplicaArrears(row))
    }

    private static let columns = """
        device, signing_key, receiving_key, name, flags, merged_sequence, merged_hash, merged_at, removed_through,
            fault, ahead_milliseconds, told_sequence, told_at, teller, key_awaited_since, asked_device, asked_at,
            held_sequence, held_at, time_offset, order_awaited_since
        """
    private static let selectOne = StatementText("SELECT \(columns) FROM replica_members WHERE device = ?1")
    private static let selectAll = StatementText("SELECT \(columns) FROM replica_members ORDER BY device")
    // After a clock was set back, stored times can be in the future; these count as long ago.
    private static let selectBehind = StatementText(
        """
        SELECT \(columns) FROM replica_members
        WHERE min(told_sequence, ifnull(removed_through, told_sequence)) > merged_sequence AND fault IS NULL
            AND length(signing_key) > 0 AND told_at NOT BETWEEN ?1 AND ?3 AND ifnull(merged_at, 0) NOT BETWEEN ?1 AND ?3
            AND ifnull(asked_at, 0) NOT BETWEEN ?2 AND ?3
        ORDER BY told_at, device LIMIT 1
        """)
    private static let count = StatementText("SELECT count(*) FROM replica_members")
    private static let selectAskedIn = StatementText("SELECT asked_in FROM replica_members WHERE device = ?1")
    private static let updateAskedIn = StatementText(
        "UPDATE OR FAIL replica_members SET asked_in = ?2 WHERE device = ?1")
    private static let update = StatementText(
        """
        UPDATE OR FAIL replica_members SET signing_key = ?2, receiving_key = ?3, name = ?4, flags = ?5,
            merged_sequence = ?6, merged_hash = ?7, merged_at = ?8, removed_through = ?9, fault = ?10,
            ahead_milliseconds = ?11, told_sequence = ?12, told_at = ?13, teller = ?14, key_awaited_since = ?15,
            asked_device = ?16, asked_at = ?17, held_sequence = ?18, held_at = ?19,
            time_offset = ?20, order_awaited_since = ?21
        WHERE device = ?1
        """)
    private static let insert = StatementText(
        """
        INSERT INTO replica_members (\(columns))
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
        """)
}

extension ReplicaArrears {
    fileprivate init(_ row: borrowing Rows) {
        self.init()
        reportedSequence = row.unsigned(11)
        reportedAt = row.optionalTimestamp(12)
        reporter = row.optionalDevice(13)
        keyAwaitedSince = row.optionalTimestamp(14)
        askedDevice = row.optionalDevice(15)
        askedAt = row.optionalTimestamp(16)
        orderAwaitedSince = row.optionalTimestamp(20)
    }
}

extension ReplicaMemberRows {
    /// Returns the least of the members' wall clocks, as an offset from the store's age; `nil` without members.
    static func leastTimeOffset(_ connection: Connection) throws(StoreError) -> Int64? {
        try connection.first(selectLeastOffset)?.optionalInteger(0)
    }

    private static let selectLeastOffset = StatementText(
        """
        SELECT min(time_offset) FROM replica_members
        WHERE removed_through IS NULL AND fault IS NULL AND length(signing_key) > 0
        """)
}
