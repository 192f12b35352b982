import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Admits devices to the group: a member gives a code, and the other device uses it to ask for admission.
extension ReplicaGroupWrites {
    /// Creates an invitation. Its code can be used once, until the given time has passed.
    func invite(
        _ code: ReplicaInvitationCode, validForMicroseconds microseconds: Int64
    ) throws(StoreError) -> WorkStep<ReplicaResult> {
        let group = try ReplicaGroupRow.required(connection, statistics.history)
        guard group.state == .member else { throw Self.notMember }
        try ReplicaInvitationRows.deleteOver(at: clock.age, connection)
        let open = try ReplicaInvitationRows.all(connection).count { !$0.isOwn && $0.device == nil }
        guard open < ReplicaLimits.invitationsMax else {
            throw .invalidArgument(
                "\(open) invitations are open, which is the maximum; hint: wait until an invitation expires")
        }
        let key = try mappedKeys(InvitationKey(code: code.secret))
        let expiresAt = clock.age + microseconds
        try ReplicaInvitationRows.insert(
            ReplicaInvitation(id: key.replicaID(), expiresAt: expiresAt, isOwn: false), code: code.secret, connection)
        return .done(.invited(expiresAt: clock.time(ofAge: expiresAt)))
    }

    /// Makes this store's request for admission. The request waits until the agent publishes it to the stream.
    func ask(_ group: ReplicaGroupRow, _ keys: borrowing ReplicaDeviceKeys, _ code: ReplicaInvitationCode)
        throws(StoreError)
    {
        let key = try mappedKeys(InvitationKey(code: code.secret))
        let id = try key.replicaID()
        try ReplicaInvitationRows.insert(
            ReplicaInvitation(id: id, expiresAt: .max, isOwn: true), code: code.secret, connection)
        let record = MemberRecord(
            device: group.device, signingKey: keys.signingKey, receivingKey: keys.receivingKey, name: group.deviceName)
        let content = record.encoded() + replicaTime.bytes
        let proof = RequestProof.sign(content, invitation: key.id, deviceKeys: keys)
        let request = try mappedKeys(key.sealRequest(proof + content))
        try ReplicaOutgoingRows.insert(.joinRequest(id), 1, request, connection)
    }

    // MARK: The inviting device

    /// Admits the device that asks, and makes the welcome for it.
    func acceptJoinRequest(
        _ bytes: [UInt8], by id: ReplicaID, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> ReplicaHandedIn {
        guard group.state == .member, let invitation = try ReplicaInvitationRows.read(id, connection),
            !invitation.isOwn, let key = try ReplicaInvitationRows.key(id, connection)
        else { return .refused(.invitationOver) }
        guard let (record, time) = Self.request(bytes, key) else { return .refused(.notOpened) }
        if let device = invitation.device {
            return device == record.device ? .merged(nextSequence: 2) : .refused(.invitationOver)
        }
        guard invitation.expiresAt > clock.age, record.device != group.device,
            try ReplicaMemberRows.read(record.device, connection) == nil, try ReplicaMemberRows.hasRoom(connection)
        else { return .refused(.invitationOver) }
        guard try letIn(record, by: id, key, &group) else { return .refused(.notOpened) }
        try recordClockOffset(time.time, of: record.device)
        try group.write(connection)
        return .merged(nextSequence: 2)
    }

    /// Returns the device that asks, and its clock, if the request proves that the device has the signing key.
    private static func request(
        _ bytes: [UInt8], _ key: borrowing InvitationKey
    ) -> (record: MemberRecord, time: TimeRecord)? {
        guard let opened = try? key.openRequest(bytes) else { return nil }
        let content = Array(opened.dropFirst(SignatureDomain.signatureBytes))
        let proof = Array(opened.prefix(SignatureDomain.signatureBytes))
        let member = content.dropLast(TimeRecord.byteCount).withUnsafeBytes { MemberRecord(record: $0) }
        guard let time = TimeRecord(exactly: content.suffix(TimeRecord.byteCount)), let record = member,
            record.isPossible,
            (try? RequestProof.verify(proof, of: content, invitation: key.id, signingKey: record.signingKey)) != nil
        else { return nil }
        return (record, time)
    }

    /// - Returns: False if nothing can be sealed for the receiving key of the record.
    private func letIn(
        _ record: MemberRecord, by id: ReplicaID, _ key: borrowing InvitationKey, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> Bool {
        var keys: [ReplicaWelcome.Key] = []
        for epoch in try ReplicaEpochRows.known(connection).prefix(ReplicaLimits.welcomeKeysMax) {
            guard let epochKey = try ReplicaEpochRows.key(of: epoch, connection) else { continue }
            guard let sealed = try? epochKey.sealed(for: record.receivingKey) else { return false }
            keys.append(ReplicaWelcome.Key(epoch: epoch, sealedKey: sealed))
        }
        var member = ReplicaMember(device: record.device)
        member.know(record)
        member.isAddedHere = true
        try ReplicaMemberRows.write(member, connection)
        var records: [ReplicaRecord] = [.member(record)]
        for key in keys {
            let grant = EpochRecord.Grant(device: record.device, sealedKey: key.sealedKey)
            records.append(.epoch(EpochRecord(id: key.epoch, grants: [grant])))
            try ReplicaEpochRows.recordGrant(of: key.epoch, to: record.device, isSure: true, connection)
        }
        try replica.channels.seal(records, &group)
        let snapshot = ReplicaID.random()
        try replica.snapshots.beginSnapshot(
            snapshot, for: record.device, knowing: try replica.channels.sealingEpoch(), group)
        let welcome = try welcome(snapshot, keys, group)
        let plaintext = try mappedKeys(SecretBytes(copying: welcome.bytes))
        try ReplicaOutgoingRows.insert(.joinWelcome(id), 1, try mappedKeys(key.sealWelcome(plaintext)), connection)
        try ReplicaInvitationRows.setDevice(record.device, of: id, connection)
        replica.news.append(.admitted(record.device))
        return true
    }

    private func welcome(
        _ snapshot: ReplicaID, _ keys: [ReplicaWelcome.Key], _ group: ReplicaGroupRow
    ) throws(StoreError) -> ReplicaWelcome {
        let own = try replica.keys.keys(of: group.device, connection)
        let inviter = MemberRecord(
            device: group.device, signingKey: own.keys.signingKey, receivingKey: own.keys.receivingKey,
            name: group.deviceName)
        return ReplicaWelcome(
            group: group.id, snapshot: snapshot, selection: group.selection, inviter: inviter,
            members: try ReplicaMemberRows.all(connection).filter(\.isKnown).map(\.record), keys: keys,
            time: replicaTime)
    }

    // MARK: The joining device

    func acceptWelcome(
        _ bytes: [UInt8], by id: ReplicaID, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> ReplicaHandedIn {
        guard group.state == .joining, let invitation = try ReplicaInvitationRows.read(id, connection),
            invitation.isOwn, let key = try ReplicaInvitationRows.key(id, connection)
        else { return .refused(.notAwaited) }
        guard let plaintext = try? key.openWelcome(bytes) else { return .refused(.notOpened) }
        guard let welcome = ReplicaWelcome(plaintext), welcome.isPossible else { return .refused(.malformed) }
        // If a key is not sealed for this device, another device has used the code.
        guard try acceptKeys(welcome.keys, group) else { return .refused(.invitationOver) }
        group.id = welcome.group
        group.selection = welcome.selection
        group.state = .receiving
        group.awaitedSnapshot = ReplicaGroupRow.AwaitedSnapshot(
            id: welcome.snapshot, maker: welcome.inviter.device, heardAt: now)
        for record in [welcome.inviter] + welcome.members where record.device != group.device {
            guard var member = try ReplicaMemberRows.readOrNew(record.device, connection) else { continue }
            member.isInviter = record.device == welcome.inviter.device
            member.know(record)
            try ReplicaMemberRows.write(member, connection)
        }
        // The inviter's clock has to be known before anything with a timer is merged.
        try recordClockOffset(welcome.time.time, of: welcome.inviter.device)
        try ReplicaInvitationRows.delete(id, connection)
        _ = try ReplicaOutgoingRows.delete(.joinRequest(id), through: 1, connection)
        try group.write(connection)
        replica.news.append(.joined(by: welcome.inviter.device))
        return .merged(nextSequence: 2)
    }

    /// Accepts the keys of a welcome.
    ///
    /// - Returns: False if any key is not sealed for this device; then no key is accepted.
    private func acceptKeys(_ keys: [ReplicaWelcome.Key], _ group: ReplicaGroupRow) throws(StoreError) -> Bool {
        let own = try replica.keys.keys(of: group.device, connection)
        for key in keys {
            guard (try? EpochKey(opening: key.sealedKey, with: own.keys)) != nil else { return false }
        }
        for key in keys {
            try ReplicaEpochRows.insert(
                key.epoch, mappedKeys(EpochKey(opening: key.sealedKey, with: own.keys)), connection)
            try ReplicaEpochRows.recordGrant(of: key.epoch, to: group.device, isSure: false, connection)
        }
        return true
    }
}

extension InvitationKey {
    func replicaID() throws(StoreError) -> ReplicaID {
        guard let id = ReplicaID(id) else { throw .fault("the id of an invitation must have 16 bytes") }
        return id
    }
}
