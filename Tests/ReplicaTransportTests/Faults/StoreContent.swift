import StoreClient
import TestBasics

/// What a store holds, but for what stays on its device: as lines whose order does not depend on when something came,
/// and as the values that clients have written.
struct StoreContent: Sendable {
    private(set) var lines: [String] = []
    /// Texts of messages, notes of contacts and the like, each under a name of its own.
    private(set) var values: [String: String] = [:]
    /// Things that are there twice.
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
            add(record.item)
        }
        lines.sort()
        for digest in attachedDigests.subtracting(contentDigests) {
            lines.append("without its content: \(digest)")
        }
    }

    /// The same for the same bytes, in this process.
    static func digest(_ bytes: [UInt8]) -> String {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return "\(bytes.count) bytes \(hasher.finalize())"
    }

    private mutating func add(_ item: ArchiveItem) {
        if case .filePiece(let piece) = item {
            bytes += piece
            return
        }
        endPieces()
        switch item {
        case .contact(let held): note("contact \(held.sessionID)", held.notes ?? "", "\(held)")
        case .conversation(let held):
            conversation = held.sessionID
            messageCounts[conversation] = 0
            note("conversation \(conversation)", held.displayName ?? "", "\(held)")
        case .message(let held): add(held)
        case .reaction(let held):
            note("reaction \(message) \(held.authorSessionID) \(held.emoji)", "there", "\(message): \(held)")
        case .draft(let held): note("draft \(held.sessionID)", held.text, "\(held)")
        case .sceneValue(let held):
            // A string of less than 128 bytes behind its tag and its length.
            note(
                "value \(held.scene ?? "") \(held.key)",
                String(decoding: held.encodedValue.dropFirst(2), as: UTF8.self),
                "\(held)")
        case .content(let held):
            contentDigests.insert(held.digest)
            owner = ("content \(held.digest)", "\(held)")
        case .file(let held) where held.path.area.isReplicated: owner = ("file \(held.path)", "\(held)")
        case .directory(let held) where held.path.area.isReplicated && !held.path.subpath.isEmpty:
            lines.append("directory \(held.path)")
        case .header, .log, .logEntry, .directory, .file, .filePiece, .removal, .footer: break
        }
    }

    private mutating func add(_ held: ArchivedMessage) {
        message = held.id
        messageCounts[conversation, default: 0] += 1
        attachedDigests.formUnion(held.attachments.map(\.digest))
        var shown = held
        // The moment is the same, but each store knows it by its own clock.
        shown.expiresAt = nil
        let text = ([held.text] + held.attachments.map(\.name)).joined(separator: " + ")
        note("message \(held.id)", text, "\(conversation): \(shown)")
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

extension VaultArea {
    fileprivate var isReplicated: Bool {
        switch self {
        case .document, .library: true
        case .cache, .temporary, .notSyncedLibrary: false
        }
    }
}
