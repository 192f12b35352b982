import StoreBasics
import StoreCrypto
import StoreEngine

/// A conversation whose messages have attachments. Small attachments are sent with their message. Larger ones are
/// written in parts to a file of the vault before the message is saved.
struct AttachmentSubject: Subject {
    private struct File {
        let seed: UInt64
        let count: Int

        var isLarge: Bool { count > EngineLimits.inlineFileBytesMax }
        var bytes: [UInt8] { Bytes.of(seed: seed, count: count) }
        var line: String { "\(count) bytes: \(Bytes.name(of: bytes))" }
    }

    private static let messagesMax = 12
    private static let idsMax = 20

    private let client: Int
    private var isThere = false
    private var messages: [String: [File]] = [:]
    private var removed: [File] = []

    init(client: Int) {
        self.client = client
    }

    private var sessionText: String { "session-\(client)" }
    private var ids: [String] { messages.keys.sorted() }

    var contents: [String: String] {
        var contents = messages.mapValues { files in files.map(\.line).joined(separator: ", ") }
        if isThere {
            contents["conversation"] = "\(messages.count) messages"
        }
        return contents
    }

    var removedBytes: [Needle] {
        let there = Set(messages.values.joined().map(\.seed))
        return removed.filter { !there.contains($0.seed) && !$0.isLarge }.compactMap { Needle($0.bytes) }
    }
    var isReadAtOnce: Bool { false }

    func read(_ reader: StoreReader) throws(StoreError) -> [String: String] {
        let session = ConversationReference.session(try SessionID(sessionText))
        guard let conversation = try reader.conversation(session, includeAvatar: false) else { return [:] }
        var contents = ["conversation": "\(conversation.messageCount) messages"]
        var found: [EntityID] = []
        _ = try reader.messages(MessageQuery(conversation: session, limit: 1_000)) { message in
            let id = String(decoding: message.id, as: UTF8.self)
            contents[id] = ""
            if let id = try? EntityID(id) {
                found.append(id)
            }
            return .goOn
        }
        for id in found {
            let files = try reader.attachments(AttachmentQuery(of: .message(id), limit: 100)).attachments
            var lines: [String] = []
            for file in files {
                let bytes = try Pieces.read { (offset, room) throws(StoreError) in
                    try reader.readAttachment(of: id, at: UInt32(file.position), from: offset, into: room)?.byteCount
                }
                lines.append("\(file.attachment.byteCount) bytes: \(Bytes.name(of: bytes))")
            }
            contents[id.text] = lines.joined(separator: ", ")
        }
        return contents
    }

    mutating func next(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        if messages.count > Self.messagesMax || (!messages.isEmpty && random.isOne(of: 4)) {
            guard let id = random.element(of: ids) else { return try save(number, &random) }
            removed += messages.removeValue(forKey: id) ?? []
            return .mutation(.deleteMessages([try EntityID(id)]))
        }
        return try save(number, &random)
    }

    /// Saves a new message, or replaces a message with the same id.
    private mutating func save(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        let id = "attached-\(client)-\(random.number(below: Self.idsMax))"
        var files = (0...random.number(below: 2)).map { _ in
            File(seed: random.next(), count: 20 + random.number(below: 900))
        }
        if random.isOne(of: 4) {
            let count = EngineLimits.inlineFileBytesMax + 1 + random.number(below: 30_000)
            files.append(File(seed: random.next(), count: count))
        }
        // An attachment with the content of another message's attachment. The store keeps the content once.
        if random.isOne(of: 3), let other = random.element(of: ids), let file = messages[other]?.first {
            files.append(file)
        }
        let isNew = messages[id] == nil
        removed += messages.updateValue(files, forKey: id) ?? []
        isThere = true
        var message = NewMessage(
            id: try EntityID(id), conversation: .session(try SessionID(sessionText)), text: "with files",
            timestamp: isNew ? Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number)) : nil)
        var large: [[UInt8]] = []
        for file in files {
            let bytes = file.bytes
            let digest = try Self.digest(of: bytes)
            message.attachments.append(
                try NewAttachment(
                    file.isLarge ? .known(digest) : .bytes(bytes, digest), name: "file",
                    mimeType: try MIMEType("application/octet-stream")))
            if file.isLarge {
                large.append(bytes)
            }
        }
        return large.isEmpty ? .mutation(.saveMessage(message)) : .attached(large, message)
    }

    private static func digest(of bytes: [UInt8]) throws(StoreError) -> AttachmentDigest {
        var digest = ContentDigest()
        digest.update(bytes)
        return try AttachmentDigest(digest.finish())
    }
}
