package import ReplicaModel
import SQLCipher
package import StoreBasics

/// The status of the store in its group.
package struct ReplicaStatus: Sendable {
    package enum State: Sendable, CaseIterable {
        /// The store has asked to join.
        case joining
        /// The store was admitted, and receives the content of the other devices.
        case receiving
        case member
        /// Another device has removed this one.
        case removed
        /// A backup replaced the store, so it is no longer the same device.
        case changed
    }

    package struct Device: Sendable {
        package var device: UInt64
        package var name: String
        /// The sequence up to which batches of the device are merged here.
        package var mergedSequence: UInt64
        package var mergedAt: Timestamp?
        /// The sequence up to which the device has merged this store's batches, and when it reported that; 0 and `nil`
        /// if it has reported nothing.
        package var heldSequence: UInt64
        package var heldAt: Timestamp?
        /// The sequence of the device's last batch that is accepted, if the device was removed; otherwise `nil`.
        package var removedThrough: UInt64?
        /// The reason why batches of the device are no longer accepted; `nil` if they are.
        package var fault: ReplicaRefusal?
        /// The sequence of the device's last batch that is known here.
        package var knownSequence: UInt64
        /// The time since which batches up to `knownSequence` have been known to be missing; `nil` if none is missing,
        /// or if they may be on their way.
        package var missingSince: Timestamp?
        /// The device that was asked last for the missing batches; `nil` if no device was asked, or none is missing.
        package var askedDevice: UInt64?
        /// The milliseconds by which the device's clock is ahead of this store's; 0 for a normal difference.
        package var aheadMilliseconds: UInt64
        /// The milliseconds by which this store's clock is ahead of the clock that the device last reported; 0 for a
        /// normal difference. Messages in conversations with a `keepFor` stay that much longer here.
        package var behindMilliseconds: UInt64
    }

    /// A channel with the sequence up to which this store wrote or read it.
    package struct Place: Sendable {
        package var channel: ReplicaChannel
        package var sequence: UInt64
    }

    package var group: ReplicaID
    package var state: State
    package var device: UInt64
    package var deviceName: String
    package var selection: ReplicaSelection
    /// The sequence of the last batch that was made here.
    package var lastSequence: UInt64
    /// The sequence of the last batch that was made here and contains data of the store.
    package var lastChangeSequence: UInt64
    /// The sequence of the last batch that the stream has.
    package var storedThrough: UInt64
    /// The number of messages that the stream does not have yet, and their bytes.
    package var waitingCount: UInt64
    package var waitingBytes: UInt64
    /// The number of changes that are in no batch yet.
    package var uncollectedRevisions: UInt64
    /// The other devices, including removed ones, in the order of their numbers.
    package var devices: [Device]
    /// The times at which the open invitations expire.
    package var invitationExpiries: [Timestamp]
    /// The channels that this store writes, with the sequence up to which the stream has them.
    package var outgoing: [Place]
    /// The channels that this store reads, with the sequence up to which they are merged.
    package var followed: [Place]
    /// The number of texts that lost against concurrent changes and that no person has looked at yet.
    package var lostEditCount: UInt64
}

extension StoreReader {
    /// Returns the status; `nil` if the store belongs to no group.
    package func replicaStatus() throws(StoreError) -> ReplicaStatus? {
        try readSnapshot { connection throws(StoreError) -> ReplicaStatus? in
            guard let group = try ReplicaGroupRow.read(connection) else { return nil }
            let statistics = try StatisticsRow.read(connection)
            return try Self.status(of: group, statistics, clock, connection)
        }
    }

    private static func status(
        of group: ReplicaGroupRow, _ statistics: Statistics, _ clock: StoreClock, _ connection: Connection
    ) throws(StoreError) -> ReplicaStatus {
        let members = try ReplicaMemberRows.all(connection)
        let total = try ReplicaOutgoingRows.total(connection)
        let age = clock.age
        let invitations = try ReplicaInvitationRows.all(connection).filter { $0.device == nil && $0.expiresAt > age }
        let state = state(of: group, statistics.history)
        return ReplicaStatus(
            group: group.id, state: state, device: group.device, deviceName: group.deviceName,
            selection: group.selection, lastSequence: group.lastSequence,
            lastChangeSequence: group.lastChangeSequence, storedThrough: group.storedThrough,
            waitingCount: total.count, waitingBytes: total.bytes,
            uncollectedRevisions: statistics.revision - min(statistics.revision, group.collectedThrough),
            devices: members.filter(\.isKnown).map { ReplicaStatus.Device($0, clock) },
            invitationExpiries: invitations.filter { !$0.isOwn }.map { clock.time(ofAge: $0.expiresAt) },
            outgoing: try outgoing(group, state, connection),
            followed: followed(group, state, members, invitations),
            lostEditCount: try LostEditRows.count(age: clock.age, connection))
    }

    private static func state(of group: ReplicaGroupRow, _ history: HistoryID) -> ReplicaStatus.State {
        guard group.history == history else { return .changed }
        return switch group.state {
        case .joining: .joining
        case .receiving: .receiving
        case .member: .member
        case .removed: .removed
        }
    }

    private static func outgoing(
        _ group: ReplicaGroupRow, _ state: ReplicaStatus.State, _ connection: Connection
    ) throws(StoreError) -> [ReplicaStatus.Place] {
        var places: [ReplicaStatus.Place] = []
        switch state {
        case .removed, .changed:
            return []
        case .receiving, .member:
            places.append(ReplicaStatus.Place(channel: .device(group.device), sequence: group.storedThrough))
        case .joining:
            break
        }
        for waiting in try ReplicaOutgoingRows.channels(connection) where waiting.channel != .device(group.device) {
            places.append(ReplicaStatus.Place(channel: waiting.channel, sequence: waiting.firstSequence - 1))
        }
        let named = Set(places.map(\.channel))
        for id in try ReplicaSnapshotRows.ids(connection) where !named.contains(.snapshot(id)) {
            let made = try ReplicaSnapshotRows.read(id, connection)?.lastChunk ?? 0
            places.append(ReplicaStatus.Place(channel: .snapshot(id), sequence: made))
        }
        return places
    }

    private static func followed(
        _ group: ReplicaGroupRow, _ state: ReplicaStatus.State, _ members: [ReplicaMember],
        _ invitations: [ReplicaInvitation]
    ) -> [ReplicaStatus.Place] {
        var places: [ReplicaStatus.Place] = []
        switch state {
        case .changed, .removed:
            return []
        case .joining:
            break
        case .receiving, .member:
            if let awaited = group.awaitedSnapshot {
                places.append(
                    ReplicaStatus.Place(channel: .snapshot(awaited.id), sequence: awaited.mergedChunks))
            }
        }
        if state == .member {
            places += members.filter { $0.isKnown && $0.fault == nil }
                .filter { $0.mergedSequence < $0.removedThrough ?? .max }
                .map { ReplicaStatus.Place(channel: .device($0.device), sequence: $0.mergedSequence) }
        }
        places += invitations.map { invitation in
            let channel: ReplicaChannel = invitation.isOwn ? .joinWelcome(invitation.id) : .joinRequest(invitation.id)
            return ReplicaStatus.Place(channel: channel, sequence: 0)
        }
        return places
    }
}

extension ReplicaStatus.Device {
    fileprivate init(_ member: ReplicaMember, _ clock: StoreClock) {
        let shown = clock.wall.microseconds.clampedDifference(clock.age)
        let ahead = member.timeOffset.map { $0.clampedDifference(shown) / 1_000 } ?? 0
        let missingSince = member.missingSince(now: clock.wall)
        let isFar = ahead.magnitude > HybridClock.aheadMillisecondsMax
        self.init(
            device: member.device, name: member.name, mergedSequence: member.mergedSequence, mergedAt: member.mergedAt,
            heldSequence: member.heldSequence, heldAt: member.heldAt, removedThrough: member.removedThrough,
            fault: member.fault,
            knownSequence: max(
                member.mergedSequence, min(member.arrears.reportedSequence, member.removedThrough ?? .max)),
            missingSince: missingSince, askedDevice: missingSince == nil ? nil : member.arrears.askedDevice,
            aheadMilliseconds: max(member.aheadMilliseconds, isFar && ahead > 0 ? UInt64(ahead) : 0),
            behindMilliseconds: isFar && ahead < 0 ? ahead.magnitude : 0)
    }
}
