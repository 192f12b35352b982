import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests fields that a later version has added. A device of this version keeps them and passes them on unchanged.
@Suite struct LaterFieldTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet
    let puppet: ReplicaPuppet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        puppet = try ReplicaPuppet(fleet)
    }

    /// A text field and a number field, with field numbers that messages do not use.
    private static let later: [UInt8] = {
        var bytes: [UInt8] = []
        bytes.append(field: 40, present: "of a later version")
        bytes.append(field: 41, present: 7)
        return bytes
    }()

    private func stamp(_ seconds: Int64 = 0) -> ReplicaStamp {
        let time = Timestamp(microseconds: Timestamp.now.microseconds + seconds * 1_000_000)
        return ReplicaStamp(time: HybridClock.time(at: time), device: puppet.number)
    }

    private func toldMessage(_ device: Int) throws -> MessageRecord {
        let records = try fleet.told(by: device).compactMap { record -> MessageRecord? in
            if case .message(let message) = record { message } else { nil }
        }
        return try #require(records.last)
    }

    /// Returns the only message in an archive of the store. Archives of one store are equal except for their times.
    private func archivedMessage(_ engine: StoreEngine) throws -> ArchivedMessage {
        let messages = try engine.archived().compactMap { record -> ArchivedMessage? in
            if case .message(let message) = record { message } else { nil }
        }
        return try #require(messages.first)
    }

    /// Returns a message with an attachment, as a member of a later version publishes it: both have additional fields.
    private func laterMessage() throws -> ReplicaRecord {
        try save(1, "m", [AttachmentStore.attachment("attached")], text: "text")
        try fleet.settle()
        var record = try toldMessage(1)
        let body = try #require(record.content?.body)
        record.content?.body = try BodyFields.adding(Self.later, toAttachmentsOf: body) + Self.later
        record.content?.stamp = stamp()
        return .message(record)
    }

    // MARK: Messages

    @Test func `a message keeps later fields when it is edited, saved again and published`() throws {
        try puppet.tell([laterMessage()], to: 0)
        #expect(try archivedMessage(engine(0)).unknownFields == Self.later)
        #expect(try archivedMessage(engine(0)).attachments.first?.unknownFields == Self.later)
        try engine(0).write(.editMessage(EntityID("m"), text: "edited", editedAt: nil))
        try engine(0).write(.updateMessageStatus([EntityID("m")], .sent))
        try save(0, "m", [AttachmentStore.attachment("attached")], text: "saved again")
        try fleet.settle()
        #expect(try message(1, "m")?.text == "saved again")
        let told = try #require(try toldMessage(0).content)
        #expect(Array(told.body.suffix(Self.later.count)) == Self.later)
        #expect(told.body.ranges(of: Self.later).count == 2)
        #expect(try fleet.content(0) == fleet.content(1))
        #expect(try archivedMessage(engine(1)).unknownFields == Self.later)
    }

    @Test func `snapshots, archives and restores carry later fields`() throws {
        try puppet.tell([laterMessage()], to: 0)
        let known = try archivedMessage(engine(0))
        try fleet.addStore()
        try fleet.join(2, by: 0)
        #expect(try archivedMessage(engine(2)).unknownFields == Self.later)
        let restored = try TemporaryStore()
        let table = RecordTable()
        try restored.engine.restore(engine(0).archive(table), table, .fillEmpty)
        #expect(try archivedMessage(restored.engine) == known)
        #expect(known.unknownFields == Self.later)
        #expect(known.attachments.first?.unknownFields == Self.later)
    }

    @Test func `two devices agree on the later fields of a message, in whatever order its changes arrive`() throws {
        try save(1, "m")
        try fleet.settle()
        let other = try ReplicaPuppet(fleet)
        var (first, second) = (try toldMessage(1), try toldMessage(1))
        let body = try #require(first.content?.body)
        // Both changes have the same stamp, so the bodies decide. The fields in the first body are not in the order of
        // their numbers.
        let changed = stamp()
        first.content?.stamp = changed
        second.content?.stamp = changed
        first.content?.body = Self.later + body
        second.content?.body = body + Array(Self.later.prefix(while: { $0 != 7 })) + [9]
        let batches = [
            (puppet.number, try puppet.batch([.message(first)])), (other.number, try other.batch([.message(second)])),
        ]
        for (device, order) in [(0, batches), (1, batches.reversed())] {
            for (number, batch) in order {
                _ = try fleet.handIn(device, .device(number), batch)
            }
        }
        #expect(try fleet.content(0) == fleet.content(1))
        #expect(try archivedMessage(engine(0)).unknownFields == Self.later)
    }

    @Test func `more bytes of later fields than an entity may have are refused`() throws {
        try save(1, "m")
        try fleet.settle()
        var record = try toldMessage(1)
        var field: [UInt8] = []
        field.append(field: 40, present: [UInt8](repeating: 1, count: UnknownFields.bytesMax))
        record.content?.body += field
        #expect(!ReplicaRecord.message(record).isPossible)
        record.content?.body.removeLast(field.count)
        record.content?.body.append(
            field: 40, present: [UInt8](repeating: 1, count: UnknownFields.bytesMax - 10))
        #expect(ReplicaRecord.message(record).isPossible)
    }

    // MARK: Replicated entities

    private static func registers(
        _ name: ThingName, _ stamp: ReplicaStamp, _ values: [(UInt8, [UInt8])]
    ) -> ReplicaRecord {
        let fields = values.map { FieldRecord(field: FieldNumber(rawValue: $0.0), stamp: stamp, value: $0.1) }
        return .thing(ThingRecord(name: name, touchedAt: 1, fields: fields))
    }

    /// Returns an entity of each kind with additional fields, and a contact with a field that only a later version
    /// knows.
    private func laterThings() throws -> [(name: ThingName, record: ReplicaRecord)] {
        let time = Timestamp(microseconds: 7)
        let stamp = stamp()
        func one(_ name: ThingName, _ value: [UInt8]) -> (ThingName, ReplicaRecord) {
            (name, Self.registers(name, stamp, [(10, value + Self.later), (33, Self.later)]))
        }
        var retention: [UInt8] = []
        retention.append(field: 7, present: ConversationRetention(keepCount: 9).encoded() + Self.later)
        let contact = ThingName(.contact, "ann")
        let conversation = ThingName(.conversation, "ann")
        let identity = ThingIdentity(id: try EntityID("an-id"), createdAt: time).bytes
        return [
            (contact, Self.registers(contact, stamp, [(1, identity), (33, Self.later), (34, [])])),
            (conversation, Self.registers(conversation, stamp, [(1, identity), (7, retention)])),
            one(
                ThingName(.draft, "ann"),
                WholeDraft(
                    sessionID: SessionID(trusted: "ann"), content: DraftContent(text: "draft"), updatedAt: time
                ).body),
            one(
                ThingName(.sceneValue, "scene", "key"),
                WholeSceneValue(key: SceneKey(trusted: "key"), value: [8, 1], updatedAt: time).body),
            one(
                ThingName(.reaction, "m", "0", "bob", "👍"),
                WholeReaction(authorSessionID: SessionID(trusted: "bob"), createdAt: time).body),
            one(
                ThingName(.log, "log"),
                WholeLog(
                    name: LogName(trusted: "log"),
                    configuration: LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: true), createdAt: time
                ).body),
            one(
                ThingName(.file, "document", "a"),
                ReplicaFileValue(
                    basis: .zero, .bytes(ReplicaFileValue.FileTimes(createdAt: time, modifiedAt: time), [1, 2])
                ).bytes),
        ]
    }

    private func states(_ names: [ThingName], _ device: Int) throws -> [ThingState?] {
        try engine(device).writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try names.map { (name) throws(StoreError) in try ReplicaThingRows.read(name, connection) }
        }
    }

    @Test func `entities keep later fields without publishing them as changes, and a snapshot carries them`() throws {
        try save(1, "m")
        try fleet.settle()
        let things = try laterThings()
        let batch = try puppet.batch(things.map(\.record))
        for device in 0..<2 {
            #expect(try fleet.handIn(device, .device(puppet.number), batch) == .merged(nextSequence: 2))
        }
        let told = try fleet.told(by: 0).count
        // The new message makes the device check and publish the conversation.
        try save(0, "behind")
        try fleet.settle()
        let changes = try fleet.told(by: 0).dropFirst(told).flatMap { record in
            if case .thing(let thing) = record { thing.fields.map(\.field) } else { [FieldNumber]() }
        }
        #expect(Set(changes) == [.identity])
        try fleet.addStore()
        try fleet.join(2, by: 0)
        let known = try states(things.map(\.name), 0)
        for (index, thing) in things.enumerated() {
            let field: UInt8 =
                switch thing.name.kind {
                case .contact: 33
                case .conversation: 7
                default: 10
                }
            #expect(known[index]?.unknown(in: FieldNumber(rawValue: field)) == Self.later, "\(thing.name.kind)")
        }
        #expect(try states(things.map(\.name), 2).map { $0?.fields } == known.map { $0?.fields })
        for (thing, (joined, state)) in zip(things, zip(try states(things.map(\.name), 2), known)) {
            for field in state?.fields ?? [] {
                #expect(joined?.mark(of: field) == state?.mark(of: field))
                #expect(joined?.unknown(in: field) == state?.unknown(in: field), "\(thing.name.kind), \(field)")
            }
        }
        #expect(try fleet.content(0) == fleet.content(2))
    }

    @Test func `a change is published with later fields, and a removal removes them`() throws {
        let things = try laterThings()
        try puppet.tell(things.map(\.record), to: 0)
        let change = SceneChange(key: try SceneKey("key"), value: [8, 0])
        try engine(0).write(.setSceneValues(.sceneOnly(SceneName("scene")), [change], conditions: []))
        try fleet.collect(0)
        let name = ThingName(.sceneValue, "scene", "key")
        let values = try fleet.told(by: 0).compactMap { record -> [UInt8]? in
            guard case .thing(let thing) = record, thing.name == name else { return nil }
            return thing.fields.first?.value
        }
        #expect(try Array(#require(values.last).suffix(Self.later.count)) == Self.later)
        try engine(0).write(.deleteContact(SessionID("ann")))
        try fleet.collect(0)
        let contact = try states([ThingName(.contact, "ann")], 0)
        #expect(contact.first??.keptValue(of: FieldNumber(rawValue: 33)) == nil)
    }

    @Test func `the later change of a field counts even if the field is unknown`() throws {
        let name = ThingName(.contact, "ann")
        let other = try ReplicaPuppet(fleet)
        // The value that both devices must keep. Its fields are in the order of their numbers, and fields with the same
        // number are in the order in which they arrived.
        let twice = [UInt8]().inserting(unknown: Self.later + Self.later)
        let older = try puppet.batch([Self.registers(name, stamp(), [(33, Self.later)])])
        let newer = try other.batch([Self.registers(name, stamp(1), [(33, twice)])])
        for (device, order) in [(0, [0, 1]), (1, [1, 0])] {
            for index in order {
                let (number, batch) = index == 0 ? (puppet.number, older) : (other.number, newer)
                _ = try fleet.handIn(device, .device(number), batch)
            }
            let state = try #require(try states([name], device).first ?? nil)
            #expect(state.keptValue(of: FieldNumber(rawValue: 33)) == twice)
        }
        let large = [UInt8](repeating: 0x50, count: ThingFieldForm.unknownFieldBytesMax + 2)
        #expect(!Self.registers(name, stamp(), [(33, large)]).isPossible)
    }
}
