import FoundationEssentials
import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests that read the test vector proto-docs/vectors/replication/records-v1.txt. The script make_records.py beside it
/// writes the vector and shares no code with the engine.
@Suite struct RecordVectorTests {
    private let lines: [(name: String, bytes: [UInt8])]

    init() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 {
            root.deleteLastPathComponent()
        }
        let file = root.appending(path: "proto-docs/vectors/replication/records-v1.txt")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        lines = try text.split(separator: "\n").map { line in
            let separator = try #require(line.lastIndex(of: ":"))
            let digits = line[separator...].dropFirst(2)
            return (String(line[..<separator]), try #require(Hexadecimal.decode(digits), "\(line)"))
        }
    }

    private func lines(_ beginning: String) -> [(name: String, bytes: [UInt8])] {
        lines.filter { $0.name.hasPrefix(beginning) }.map { (String($0.name.dropFirst(beginning.count)), $0.bytes) }
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        try #require(lines.first { $0.name == name }?.bytes, "\(name)")
    }

    private static func all(_ bytes: [UInt8]) throws -> [ReplicaRecord] {
        try bytes.withUnsafeBytes { try ReplicaRecord.all(in: $0) }
    }

    // MARK: Records

    @Test func `records of every kind are decoded, are valid, and are encoded to the same bytes`() throws {
        let records = lines("record of ")
        for (name, bytes) in records {
            let read = try Self.all(bytes)
            #expect(read.count == 1 && read[0].isPossible, "\(name)")
            var written: [UInt8] = []
            read.forEach { $0.append(to: &written) }
            #expect(written == bytes, "\(name)")
        }
        #expect(Set(records.compactMap(\.bytes.first)) == Set(1...14))
    }

    @Test func `records have the content that the document says`() throws {
        let stamp = ReplicaStamp(time: 1_700_000_000_000 << 16 | 2, device: 0x1112_1314_1516_1718)
        guard case .thing(let thing) = try Self.all(bytes("record of thing"))[0],
            case .message(let message) = try Self.all(bytes("record of message"))[0],
            case .logEntries(let entries) = try Self.all(bytes("record of entries of a log"))[0]
        else {
            Issue.record("records have other kinds")
            return
        }
        #expect(thing.name == ThingName(.contact, "ann"))
        #expect(thing.fields.map(\.field.rawValue) == [1, 3, 6])
        #expect(thing.fields.allSatisfy { $0.stamp == stamp })
        #expect(thing.fields[2].value == nil)
        let content = try #require(message.content)
        #expect(message.id == "m" && message.generation == 1)
        #expect(content.progress == MessageProgress(restarts: 1, isRead: true, step: 2))
        #expect(content.remaining == 5_000_000 && content.stamp == stamp)
        #expect(entries.entries.map(\.data) == [Array("one".utf8), Array("two".utf8)])
        #expect(try entries.entries.map(\.metadata) == [Metadata(data: [0, 1], type: "text/plain").bytes, nil])
        #expect(entries.firstSequence == 2 && entries.opened == 5)
    }

    @Test func `records of some unknown kinds are skipped, and of others awaited`() throws {
        let known = try bytes("record of message")
        #expect(try Self.all(bytes("skipped record") + known) == Self.all(known))
        #expect(throws: ReplicaRecordError.unknownKind(15)) { try Self.all(bytes("awaited record") + known) }
        #expect(throws: ReplicaRecordError.unknownKind(1)) { try Self.all(bytes("awaited thing")) }
    }

    @Test func `unknown fields of a record are skipped`() throws {
        for (name, bytes) in lines("record of ") {
            var later = Array(bytes.dropFirst(2))
            let hasLongLength = bytes[1] >= 0x80
            if hasLongLength { later.removeFirst() }
            later.append(field: 900, present: "of a later version")
            var record = [bytes[0]]
            record.append(sized: later)
            #expect(try Self.all(record) == Self.all(bytes), "\(name)")
        }
    }

    // MARK: Bodies and values

    @Test func `bodies are decoded, and encoded to the same bytes`() throws {
        for (name, bytes) in lines("body") + lines("later body") {
            #expect(try WholeMessage(body: bytes).body == bytes, "\(name)")
        }
        let body = try WholeMessage(body: bytes("body"))
        #expect(body.text == "hello" && body.senderSessionID == "ann" && body.recipientSessionID == "me")
        #expect(body.isOutgoing && body.replyToMessageID?.text == "m0")
        #expect(body.editedAt?.microseconds == 1_700_000_000_000_002)
        #expect(body.timer == MessageTimer(lifetime: try RetentionPeriod(milliseconds: 60_000), start: .reading))
        #expect(body.attachments.map(\.name) == ["a.txt", ""])
        let metadata = try Metadata(data: [0, 1], type: "application/octet-stream")
        #expect(body.attachments.map(\.metadata) == [metadata, nil] && body.metadata == metadata)
        #expect(body.kind == "notice" && body.senderName == "Ann at that time")
        #expect(try WholeMessage(body: bytes("body, least")).createdAt.microseconds == -1)
        let later = try WholeMessage(body: bytes("later body"))
        #expect(!later.unknownFields.isEmpty && later.attachments.first?.unknownFields == later.unknownFields)
    }

    @Test func `a body with a field that its record already has is refused`() throws {
        for (number, value) in [(1, "m"), (15, "")] as [(UInt32, String)] {
            var body = try bytes("body, least")
            body.append(field: number, present: value)
            #expect(throws: StoreError.self) { try WholeMessage(body: body) }
        }
        for number in [6, 8] as [UInt32] {
            var body = try bytes("body, least")
            body.append(field: number, present: 1)
            #expect(throws: StoreError.self) { try WholeMessage(body: body) }
        }
    }

    @Test func `values of every field are decoded, and encoded to the same bytes`() throws {
        var read: Set<String> = []
        for (name, bytes) in lines("value of ") + lines("later value of ") {
            let parts = name.prefix { $0 != "," }.split(separator: " ")
            let kind = try #require(ThingKind.allCases.first { "\($0)" == parts[0] }, "\(name)")
            let field = FieldNumber(rawValue: parts.count > 1 ? try #require(UInt8(parts[1])) : 10)
            let form = ThingFieldForm(kind: kind, field: field)
            let (known, unknown) = try form.read(bytes)
            #expect(form.completed(known, unknown) == bytes, "\(name)")
            read.insert("\(kind) \(field.rawValue)")
        }
        for kind in ThingKind.allCases {
            #expect(kind.fields.allSatisfy { read.contains("\(kind) \($0.rawValue)") }, "\(kind)")
        }
    }
}
