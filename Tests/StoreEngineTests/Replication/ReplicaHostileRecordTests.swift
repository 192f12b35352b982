import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests records of a malicious member: which values they may contain, and that later records are still accepted.
@Suite struct ReplicaHostileRecordTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet
    let puppet: ReplicaPuppet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        puppet = try ReplicaPuppet(fleet)
    }

    /// Returns the last record of a message that a device has published.
    private func toldMessage(_ device: Int) throws -> MessageRecord {
        let records = try fleet.told(by: device).compactMap { record -> MessageRecord? in
            if case .message(let message) = record { message } else { nil }
        }
        return try #require(records.last)
    }

    /// Checks that a record is malformed. A new puppet publishes it, because such a refusal is final for its device.
    private func expectMalformed(_ record: ReplicaRecord) throws {
        #expect(try ReplicaPuppet(fleet).tell([record], to: 0) == .refused(.malformed), "\(record)")
    }

    // MARK: Lengths and numbers

    @Test func `an attachment that is longer than any content is refused, and messages can still be listed`() throws {
        let bytesMax = EngineLimits.fileBytesMax
        let digest = try AttachmentStore.digest([1])
        let attachment = { (byteCount: UInt64) in
            try NewAttachment(
                .listed(digest, byteCount: byteCount), name: "a", mimeType: MIMEType("a/b"), source: "there")
        }
        for byteCount in [bytesMax + 1, UInt64(Int64.max), .max] {
            #expect(throws: StoreError.self) { try attachment(byteCount) }
        }
        try save(1, "m", [attachment(bytesMax)])
        try fleet.settle()
        var record = try toldMessage(1)
        record.id = "other"
        try puppet.tell([.message(record)], to: 0)
        #expect(try message(0, "other")?.attachments.map(\.byteCount) == [bytesMax])
        for byteCount in [bytesMax + 1, UInt64(Int64.max), .max] {
            var longer = record
            longer.id = "longer"
            let body = try #require(record.content?.body)
            var length: [UInt8] = []
            length.append(field: 3, byteCount)
            longer.content?.body = try BodyFields.adding(length, toAttachmentsOf: body)
            try expectMalformed(.message(longer))
        }
        #expect(try engine(0).makeReader().messages(MessageQuery(conversation: ann)).messages.count == 2)
    }

    @Test func `a message with the greatest number of removals can be saved again`() throws {
        let removal = { (generation: UInt64) in
            ReplicaRecord.message(MessageRecord(id: "m", generation: generation, content: nil))
        }
        try expectMalformed(removal(MessageRecord.generationMax + 1))
        try expectMalformed(removal(.max))
        try puppet.tell([removal(MessageRecord.generationMax)], to: 0)
        try save(0, "m")
        try fleet.collect(0)
        #expect(try message(0, "m") != nil)
        #expect(try toldMessage(0).generation == MessageRecord.generationMax)
    }

    @Test func `a message with the greatest number of steps back can step back again`() throws {
        try save(1, "m", status: .sent)
        try fleet.settle()
        var record = try toldMessage(1)
        record.content?.progress = MessageProgress(
            restarts: MessageProgress.restartsMax + 1, isRead: false, step: 3)
        try expectMalformed(.message(record))
        record.content?.progress.restarts = .max
        try expectMalformed(.message(record))
        record.content?.progress.restarts = MessageProgress.restartsMax
        try puppet.tell([.message(record)], to: 0)
        #expect(try message(0, "m")?.status == .delivered)
        try engine(0).write(.updateMessageStatus([EntityID("m")], .pending))
        try fleet.collect(0)
        #expect(try message(0, "m")?.status == .pending)
        #expect(try toldMessage(0).content?.progress.restarts == MessageProgress.restartsMax)
    }

    @Test func `records with the greatest sequence numbers are refused`() throws {
        let hash = [UInt8](repeating: 1, count: PositionsRecord.hashBytes)
        for sequence in [UInt64(1) << 62 + 1, .max] {
            try expectMalformed(
                .positions(
                    PositionsRecord(positions: [
                        PositionsRecord.Position(device: 5, sequence: sequence, hash: hash)
                    ])))
            try expectMalformed(.memberRemoval(MemberRemovalRecord(device: 5, throughSequence: sequence)))
            try expectMalformed(.contentNotice(ContentNoticeRecord(digest: hash, device: 5, sequence: sequence)))
        }
    }

    // MARK: Logs

    /// Returns entries of the puppet's log, one for each time.
    private func entries(
        from first: UInt64, _ times: [UInt64], oldest: UInt64 = 1, metadata: [UInt8]? = nil
    ) -> ReplicaRecord {
        let log = WholeLog(
            name: LogName(trusted: "log"),
            configuration: LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: true), createdAt: .now)
        return .logEntries(
            LogEntriesRecord(
                name: "log", value: log.body, device: puppet.number, opened: 1, oldestSequence: oldest,
                firstSequence: first,
                entries: times.map { LogEntriesRecord.Entry(time: $0, data: [1], metadata: metadata) }))
    }

    @Test func `entries of a log with falling times are refused`() throws {
        for times in [[2, 1], [1, 3, 2], [3, 3, 2]] as [[UInt64]] {
            try expectMalformed(entries(from: 1, times))
        }
        #expect(try engine(0).rowCount(of: "replica_log_entries") == 0)
        try puppet.tell([entries(from: 1, [1, 1, 2])], to: 0)
        #expect(try engine(0).rowCount(of: "replica_log_entries") == 3)
    }

    @Test func `entries of a log with invalid metadata are refused`() throws {
        let long = try Metadata(data: [UInt8](repeating: 1, count: EngineLimits.metadataBytesMax), type: "a/b").bytes
        let longer: [UInt8] =
            [0x0a, 0x81, 0x80, 0x04] + [UInt8](repeating: 1, count: EngineLimits.metadataBytesMax + 1)
        let repeated: [UInt8] = [0x0a, 1, 1, 0x0a, 1, 2]
        // A field of a later version with 5,000 bytes.
        let unknown: [UInt8] = [0x0a, 1, 1, 0x9a, 0x06, 0x88, 0x27] + [UInt8](repeating: 1, count: 5_000)
        for metadata in [[], [0xff], [0x12, 1, 0x61], longer, repeated, unknown] as [[UInt8]] {
            try expectMalformed(entries(from: 1, [1], metadata: metadata))
        }
        #expect(try engine(0).rowCount(of: "replica_log_entries") == 0)
        try puppet.tell([entries(from: 1, [1], metadata: long)], to: 0)
        #expect(try engine(0).rowCount(of: "replica_log_entries") == 1)
    }

    @Test(
        arguments: [
            (5, [9]), (5, [21, 30]), (3, [29, 30]), (7, [29]), (9, [31]), (2, [10, 20, 30, 30]), (8, [30]), (1, [11]),
            (10, [40]), (4, [20, 20, 20, 30]), (1, [10]),
        ] as [(UInt64, [UInt64])])
    func `entries between existing ones are accepted only in the order of their times`(
        first: UInt64, times: [UInt64]
    ) throws {
        var known: [UInt64: UInt64] = [2: 10, 3: 20, 7: 30, 8: 30]
        try puppet.tell([entries(from: 2, [10, 20]), entries(from: 7, [30, 30])], to: 0)
        var expected = known
        for (offset, time) in times.enumerated() {
            expected[first + UInt64(offset)] = time
        }
        let isOverwritten = known.contains { expected[$0.key] != $0.value }
        let ordered = expected.sorted { $0.key < $1.key }.map(\.value)
        if !isOverwritten, ordered == ordered.sorted() {
            known = expected
        }
        #expect(try puppet.tell([entries(from: first, times)], to: 0) == .merged(nextSequence: 3))
        #expect(try engine(0).rowCount(of: "replica_log_entries") == known.count)
    }

    @Test func `overwritten entries do not limit the times of later ones`() throws {
        try puppet.tell([entries(from: 1, [10, 20])], to: 0)
        try puppet.tell([entries(from: 3, [5, 6], oldest: 3)], to: 0)
        #expect(try engine(0).rowCount(of: "replica_log_entries") == 2)
    }

    // MARK: Contents

    @Test func `a false piece of a stored content neither marks it as sent nor makes the device send it`() throws {
        let large = ReplicaContentTests.bytes(300_000)
        let small = ReplicaContentTests.bytes(3_000)
        for bytes in [large, small] {
            try engine(0).writeAttachment(bytes)
            let digest = try AttachmentStore.digest(bytes).bytes
            let offset = bytes.count == 3_000 ? 0 : UInt64(256 << 10)
            let claimed = ContentPieceRecord(
                digest: digest, byteCount: UInt64(bytes.count), offset: offset,
                bytes: [UInt8](repeating: 0, count: bytes.count - Int(offset)))
            #expect(claimed.isLast)
            let request = ContentRequestRecord(digest: digest, device: fleet.devices[0].number)
            guard case .merged = try puppet.tell([.contentPiece(claimed), .contentRequest(request)], to: 0) else {
                Issue.record("a piece was not merged")
                return
            }
        }
        try fleet.collect(0)
        #expect(try engine(0).rowCount(of: "replica_contents") == 0)
        #expect(
            try fleet.told(by: 0).allSatisfy { record in
                if case .contentPiece = record { false } else { true }
            })
        // A member that sends the whole content counts as its sender.
        let digest = try AttachmentStore.digest(small).bytes
        try puppet.tell(
            [.contentPiece(ContentPieceRecord(digest: digest, byteCount: 3_000, offset: 0, bytes: small))], to: 0)
        #expect(try engine(0).rowCount(of: "replica_contents") == 1)
    }

    // MARK: Times

    private static func contact(_ time: UInt64) -> ReplicaRecord {
        let name = FieldRecord(
            field: .displayName, stamp: ReplicaStamp(time: time, device: .max),
            value: ThingValues(of: WholeContact(id: EntityID(trusted: ""), displayName: "Mallory"))[.displayName])
        return .thing(ThingRecord(name: ThingName(.contact, "ann"), fields: [name]))
    }

    private static func timeFromNow(years: Double) -> UInt64 {
        let milliseconds = Double(Timestamp.now.microseconds) / 1_000 + years * 365 * 86_400_000
        return HybridClock.time(atMilliseconds: UInt64(milliseconds))
    }

    @Test func `changes with the greatest time wait, and no change is lost against them`() throws {
        for time in [UInt64.max, Self.timeFromNow(years: 11)] {
            #expect(try ReplicaPuppet(fleet).tell([Self.contact(time)], to: 0) == .waits(.timeAhead))
        }
        try save(1, "m")
        try fleet.settle()
        var message = try toldMessage(1)
        message.content?.stamp = ReplicaStamp(time: .max, device: 1)
        #expect(try ReplicaPuppet(fleet).tell([.message(message)], to: 0) == .waits(.timeAhead))
        let removal = ThingRecord(name: ThingName(.contact, "ann"), removal: ReplicaStamp(time: .max, device: 1))
        #expect(try ReplicaPuppet(fleet).tell([.thing(removal)], to: 0) == .waits(.timeAhead))
        let batch = try puppet.batch([Self.contact(Self.timeFromNow(years: 9))])
        for device in 0..<2 {
            #expect(try fleet.handIn(device, .device(puppet.number), batch) == .merged(nextSequence: 2))
        }
        try engine(0).write(.saveContact(ContactUpdate(sessionID: SessionID("ann"), displayName: "Ann")))
        try fleet.settle()
        #expect(
            try engine(1).makeReader().contact(SessionID("ann"), includeAvatar: false)?.displayName == "Ann")
    }

    @Test func `a removal of an entity that is removed by an empty value is refused`() throws {
        let stamp = ReplicaStamp(time: 5, device: 5)
        for name in [
            ThingName(.sceneValue, "scene", "key"), ThingName(.reaction, "m", "0", "bob", "👍"),
            ThingName(.file, "document", "a"),
        ] {
            try expectMalformed(.thing(ThingRecord(name: name, removal: stamp)))
            #expect(ReplicaRecord.thing(ThingRecord(name: name)).isPossible)
        }
        for name in [ThingName(.contact, "ann"), ThingName(.conversation, "ann"), ThingName(.draft, "ann")] {
            #expect(ReplicaRecord.thing(ThingRecord(name: name, removal: stamp)).isPossible)
        }
    }

    // MARK: Drafts

    private static func draft(_ text: String, _ stamp: ReplicaStamp) -> ReplicaRecord {
        let draft = WholeDraft(
            sessionID: SessionID(trusted: "ann"), content: DraftContent(text: text),
            updatedAt: Timestamp(microseconds: 7))
        return .thing(
            ThingRecord(
                name: ThingName(.draft, "ann"), fields: [FieldRecord(field: .value, stamp: stamp, value: draft.body)]))
    }

    private func draft(_ device: Int) throws -> String? {
        guard try !engine(device).makeReader().conversations(ConversationQuery()).conversations.isEmpty else {
            return nil
        }
        return try engine(device).makeReader().draft(in: ann)?.content.text
    }

    @Test func `a removal of a draft deletes it, in whatever order both arrive`() throws {
        let other = try ReplicaPuppet(fleet)
        let told = try puppet.batch([Self.draft("hallo", ReplicaStamp(time: 5, device: 5))])
        let removed = try other.batch([
            .thing(ThingRecord(name: ThingName(.draft, "ann"), removal: ReplicaStamp(time: 6, device: 5)))
        ])
        let batches = [(puppet.number, told), (other.number, removed)]
        for (number, batch) in batches {
            _ = try fleet.handIn(0, .device(number), batch)
        }
        for (number, batch) in batches.reversed() {
            _ = try fleet.handIn(1, .device(number), batch)
        }
        #expect(try draft(0) == nil)
        #expect(try fleet.content(0) == fleet.content(1))
    }

    @Test(arguments: [(9, "hallo"), (4, nil), (5, nil)] as [(UInt64, String?)])
    func `the device decides between a draft and a removal of the same time, in whatever order they arrive`(
        device: UInt64, expected: String?
    ) throws {
        let other = try ReplicaPuppet(fleet)
        let time = HybridClock.time(atMilliseconds: 1_000_000)
        let told = try puppet.batch([Self.draft("hallo", ReplicaStamp(time: time, device: device))])
        let removed = try other.batch([
            .thing(ThingRecord(name: ThingName(.conversation, "ann"), removal: ReplicaStamp(time: time, device: 5)))
        ])
        let batches = [(puppet.number, told), (other.number, removed)]
        for (number, batch) in batches {
            _ = try fleet.handIn(0, .device(number), batch)
        }
        for (number, batch) in batches.reversed() {
            _ = try fleet.handIn(1, .device(number), batch)
        }
        #expect(try draft(0) == expected)
        #expect(try draft(1) == expected)
        #expect(try fleet.content(0) == fleet.content(1))
    }
}
