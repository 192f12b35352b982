import FoundationEssentials
import StoreClient
import TestBasics

/// The replicated content of a store: as lines whose order does not depend on the order of arrival, and as the values
/// that clients have written.
struct StoreContent: Sendable {
    private(set) var lines: [String] = []
    /// The texts of messages, notes of contacts and similar values, each with a unique name.
    private(set) var values: [String: String] = [:]
    /// Names that occur twice, which is an error.
    private(set) var repeated: [String] = []
    private(set) var messageCounts: [String: Int] = [:]
    private var attachedDigests: Set<String> = []
    private var contentDigests: Set<String> = []
    private var conversation = ""
    private var message = ""
    private var owner: (name: String, line: String)?
    private var bytes: [UInt8] = []

    init(of client: StoreClient) async throws {
        for try await record in client.archiveRecords() {
            try add(record)
        }
        lines.sort()
        for digest in attachedDigests.subtracting(contentDigests) {
            lines.append("without its content: \(digest)")
        }
    }

    /// Returns a digest that is equal for equal bytes in this process.
    static func digest(_ bytes: [UInt8]) -> String {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return "\(bytes.count) bytes \(hasher.finalize())"
    }

    private mutating func add(_ record: ArchiveRecord) throws {
        if let piece = record.filePiece {
            bytes += piece
            return
        }
        endPieces()
        let line = try record.json
        let held = try JSONDecoder().decode(HeldRecord.self, from: Data(line.utf8))
        if let contact = held.contact {
            note("contact \(contact.sessionId ?? "")", contact.notes ?? "", line)
        } else if let held = held.conversation {
            conversation = held.sessionId ?? ""
            messageCounts[conversation] = 0
            note("conversation \(conversation)", held.displayName ?? "", line)
        } else if let held = held.message {
            addMessage(held, line)
        } else if let held = held.reaction {
            let name = "reaction \(message) \(held.authorSessionId ?? "") \(held.emoji ?? "")"
            note(name, "there", "\(message): \(line)")
        } else if let draft = held.draft {
            note("draft \(draft.sessionId ?? "")", draft.text ?? "", line)
        } else if let held = held.sceneValue {
            // The value begins with one byte for its tag and, if it is a string of fewer than 128 bytes, one byte for
            // its length.
            let text = String(decoding: (held.value ?? Data()).dropFirst(2), as: UTF8.self)
            note("value \(held.scene ?? "") \(held.key ?? "")", text, line)
        } else if let digest = held.content?.digest {
            contentDigests.insert(digest)
            owner = ("content \(digest)", line)
        } else if let path = held.file?.path?.replicated {
            owner = ("file \(path)", line)
        } else if let path = held.directory?.path?.replicated, path.contains("/") {
            lines.append("directory \(path)")
        }
    }

    private mutating func addMessage(_ held: HeldRecord.Fields, _ line: String) {
        message = held.id ?? ""
        messageCounts[conversation, default: 0] += 1
        let attachments = held.attachments ?? []
        attachedDigests.formUnion(attachments.compactMap(\.digest))
        let text = ([held.text ?? ""] + attachments.map { $0.name ?? "" }).joined(separator: " + ")
        // All stores expire the message at the same moment, but each records that moment on its own clock.
        let shown = line.replacing(/"expiresAtMicroseconds":"-?\d+",?/, with: "")
        note("message \(message)", text, "\(conversation): \(shown)")
    }

    private mutating func endPieces() {
        if let (name, line) = owner {
            let digest = Self.digest(bytes)
            note(name, digest, "\(line): \(digest)")
        }
        owner = nil
        bytes = []
    }

    private mutating func note(_ name: String, _ value: String, _ line: String) {
        if values.updateValue(value, forKey: name) != nil {
            repeated.append(name)
        }
        lines.append(line)
    }
}

/// The fields of records that are compared, with their names in JSON.
private struct HeldRecord: Decodable {
    struct Fields: Decodable {
        let id: String?
        let sessionId: String?
        let displayName: String?
        let notes: String?
        let text: String?
        let attachments: [Fields]?
        let name: String?
        let authorSessionId: String?
        let emoji: String?
        let scene: String?
        let key: String?
        let value: Data?
        let digest: String?
        let path: Path?
    }

    struct Path: Decodable {
        let area: String?
        let path: String?

        /// The path as clients see it (`document/folder/file`), or `nil` in an area that is not replicated.
        var replicated: String? {
            let areas = ["FILE_AREA_DOCUMENT": VaultArea.document, "FILE_AREA_LIBRARY": .library]
            return areas[area ?? ""].map { "\(VaultPath($0, path ?? ""))" }
        }
    }

    let contact: Fields?
    let conversation: Fields?
    let message: Fields?
    let reaction: Fields?
    let draft: Fields?
    let sceneValue: Fields?
    let content: Fields?
    let file: Fields?
    let directory: Fields?
}
