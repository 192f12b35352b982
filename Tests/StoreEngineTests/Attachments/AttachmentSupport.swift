import SQLCipher
import StoreBasics
import StoreCrypto

@testable import StoreEngine

/// A store with messages that have attachments, and short functions to use it.
struct AttachmentStore {
    let store: TemporaryStore
    let alice: ConversationReference

    init(clocks: SystemClocks = .real(bootID: nil), cacheBytesMax: UInt64 = 0) throws {
        store = try TemporaryStore(clocks: clocks, attachmentCacheBytesMax: cacheBytesMax)
        alice = .session(try SessionID("alice"))
    }

    static func digest(_ bytes: [UInt8]) throws -> AttachmentDigest {
        var digest = ContentDigest()
        digest.update(bytes)
        return try AttachmentDigest(digest.finish())
    }

    static func attachment(
        _ text: String, name: String = "name", type: String = "text/plain", source: String? = nil,
        thumbnail: [UInt8] = [], metadata: Metadata? = nil
    ) throws -> NewAttachment {
        let bytes = Array(text.utf8)
        return try NewAttachment(
            .bytes(bytes, digest(bytes)), name: name, mimeType: MIMEType(type), thumbnail: thumbnail, source: source,
            metadata: metadata)
    }

    static func known(_ bytes: [UInt8], type: String = "text/plain", source: String? = nil) throws -> NewAttachment {
        try NewAttachment(.known(digest(bytes)), name: "known", mimeType: MIMEType(type), source: source)
    }

    @discardableResult
    func save(
        _ id: String, _ attachments: [NewAttachment] = [], text: String = "text", at seconds: Int64? = nil,
        in conversation: ConversationReference? = nil
    ) throws -> Commit {
        var message = NewMessage(
            id: try EntityID(id), conversation: conversation ?? alice, text: text, attachments: attachments)
        message.timestamp = seconds.map { Timestamp(microseconds: $0 * 1_000_000) }
        return try store.engine.commit(.saveMessage(message))
    }

    func attachments(_ id: String) throws -> [Attachment]? {
        try store.engine.makeReader().message(try EntityID(id))?.attachments
    }

    func text(_ id: String, _ position: UInt32 = 0, from offset: UInt64 = 0, byteCount: UInt64? = nil) throws -> String
    {
        let part = try store.engine.makeReader().readAttachment(
            of: try EntityID(id), at: position, from: offset, byteCount: byteCount)
        return String(decoding: part.bytes, as: UTF8.self)
    }

    /// Returns the number of rows in each of three tables, after all removals are done: contents of attachments,
    /// attachments, and contents of files.
    func counts() throws -> [Int] {
        try store.engine.writer.waitForRemovals()
        return try ["attachment_contents", "attachments", "file_contents"].map { table in
            try store.engine.writer.perform { context throws(StoreError) in
                let connection = try context.openConnection()
                return Int(try mapped(connection.integer("SELECT count(*) FROM \(table)")) ?? 0)
            }
        }
    }
}
