import StoreBasics
import TestBasics

@testable import StoreEngine

/// Random edits of everything that an archive contains. They use few names, so that entities are created, changed,
/// removed and created again, and some edits have no effect.
struct RandomEdits {
    var engine: StoreEngine
    private let kinds: [Kind]
    /// True for the stores of a replica group. Each conversation then has ids for its new messages that no other
    /// conversation has, so that two stores never create messages with the same id in different conversations. Logs are
    /// replicated.
    private let hasOwnIDs: Bool
    /// True if the edits include contents of several pieces, and writes to parts of files.
    private var hasLargeContents: Bool { hasOwnIDs }
    private var generator: SplitMix
    private var messageCount: Int64 = 0

    init(_ engine: StoreEngine, seed: UInt64, kinds: [Kind] = Kind.allCases, hasOwnIDs: Bool = false) {
        self.engine = engine
        self.hasOwnIDs = hasOwnIDs
        self.kinds = kinds
        generator = SplitMix(seed: seed)
    }

    mutating func make(_ count: Int) throws {
        for _ in 0..<count {
            try make(pick(kinds))
        }
    }

    enum Kind: CaseIterable {
        case contact, conversation, message, messageAgain, edit, status, read, deleteMessage, react, draft, value
        case scene, log, append, file, largeFile, directory, move, copy, removeFile, removeOther
        case reactOften, manyValues, moveTree, moveMessage, member, metadata
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    private mutating func session() throws -> SessionID { try SessionID("s\(number(3))") }

    private mutating func message() throws -> EntityID { try EntityID("m\(number(12))") }

    private mutating func path() throws -> FilePath {
        let names = (0...number(3)).map { _ in "f\(number(3))" }
        return try FilePath(pick([.document, .cache]), names.joined(separator: "/"))
    }

    private mutating func attachments() throws -> [NewAttachment] {
        try (0..<max(0, number(5) - 2)).map { _ in
            if hasLargeContents, number(4) == 0 { return try largeAttachment() }
            return try AttachmentStore.attachment(
                "content \(number(6))", name: "\(number(2))", source: pick([nil, "there"]))
        }
    }

    /// Writes a content in parts and returns an attachment that refers to it.
    private mutating func largeAttachment() throws -> NewAttachment {
        let bytes = largeContent()
        try engine.writeAttachment(bytes)
        return try AttachmentStore.known(bytes, source: pick([nil, "there"]))
    }

    /// Returns one of four contents, so that some attachments share one.
    private mutating func largeContent() -> [UInt8] {
        let kind = number(4)
        let count = EngineLimits.inlineFileBytesMax * (1 + kind) + kind + 1
        return (0..<count).map { UInt8(truncatingIfNeeded: $0 >> 8 &+ kind) }
    }

    private mutating func newMessage() throws -> NewMessage {
        messageCount += 1
        let (session, place) = (try session(), number(12))
        let ownNumber = (Int(session.text.dropFirst()) ?? 0) + 3 * (place / 3)
        let id = try EntityID("m\(hasOwnIDs ? ownNumber : place)")
        return NewMessage(
            id: id, conversation: .session(session), text: "text \(number(5))",
            timestamp: Timestamp(microseconds: 1_000_000 * (messageCount / 3) + Int64(number(2))),
            status: pick([.pending, .sent, .delivered, .failed]), isOutgoing: number(2) == 0, isRead: number(2) == 0,
            attachments: try attachments(), kind: pick(["", "notice"]), senderName: pick(["", "name"]),
            metadata: number(3) == 0 ? try metadata() : nil)
    }

    private mutating func make(_ kind: Kind) throws {
        switch kind {
        case .contact, .conversation, .message, .messageAgain, .edit, .status, .read, .deleteMessage, .react, .draft:
            try makeOfPeople(kind)
        case .value, .scene, .log, .append: try makeOfState(kind)
        case .file, .largeFile, .directory, .move, .copy, .removeFile: try makeOfFiles(kind)
        case .reactOften: try reactOften()
        case .manyValues: try setManyValues()
        case .moveTree: try moveTree()
        case .moveMessage: try moveMessage()
        case .member: try changeMembers()
        case .metadata: try changeMetadata()
        case .removeOther:
            switch number(4) {
            case 0: try attempt(.deleteContact(session()))
            case 1: try attempt(.deleteConversation(.session(session())))
            case 2: try attempt(.removeScene(SceneName("scene")))
            default: try attempt(.deleteLog(LogName("log\(number(2))")))
            }
        }
    }

    private mutating func makeOfPeople(_ kind: Kind) throws {
        switch kind {
        case .contact:
            try attempt(
                .saveContact(
                    ContactUpdate(
                        sessionID: session(), displayName: "name \(number(3))", avatar: number(3) == 0 ? [1] : [],
                        isBlocked: number(2) == 0)))
        case .conversation:
            try attempt(.getOrCreateConversation(session(), id: nil, displayName: nil))
            var retention = ConversationRetention()
            retention.keepCount = pick([nil, 50, 100])
            try attempt(
                .updateConversation(
                    .session(session()),
                    ConversationUpdate(isPinned: number(2) == 0, retention: RetentionUpdate(all: retention))))
        case .message: try attempt(.saveMessage(newMessage()))
        case .messageAgain:
            let id = try message()
            guard let present = try engine.makeReader().message(id) else { break }
            var again = try newMessage()
            again.id = id
            again.conversation = .id(present.conversationID)
            again.keepsAttachments = number(2) == 0
            try attempt(.saveMessage(again))
        case .edit: try attempt(.editMessage(message(), text: "edited \(number(9))", editedAt: nil))
        case .status: try attempt(.updateMessageStatus([message()], pick([.pending, .sent, .delivered])))
        case .read: try attempt(.markMessagesRead([message()]))
        case .deleteMessage: try attempt(.deleteMessages([message()]))
        case .react:
            let reaction = ReactionReference(
                messageID: try message(), authorSessionID: try session(), emoji: try Emoji(pick(["👍", "🎉"])))
            try attempt(number(3) > 0 ? .addReaction(reaction) : .removeReaction(reaction))
        default:
            try attempt(
                .saveDraft(
                    NewDraft(
                        conversation: .session(session()), content: DraftContent(text: pick(["", "a", "b"])),
                        attachments: attachments())))
        }
    }

    private mutating func metadata() throws -> Metadata {
        let count = pick([0, 1, 2 * EngineLimits.inlineMetadataBytesMax])
        return try Metadata(data: [UInt8](repeating: UInt8(number(3)), count: count), type: pick(["", "a/b"]))
    }

    private mutating func changeMetadata() throws {
        if number(3) == 0 {
            try attempt(.saveContact(ContactUpdate(sessionID: session(), metadata: metadata())))
        } else {
            let update = ConversationUpdate(kind: pick([nil, "", "group"]), metadata: try metadata())
            try attempt(.updateConversation(.session(session()), update))
        }
    }

    private mutating func changeMembers() throws {
        let conversation = ConversationReference.session(try session())
        let ids = try (0...number(3)).map { _ in try SessionID("p\(number(4))") }
        if number(3) == 0 {
            try attempt(.removeMembers(conversation, ids))
        } else {
            let (name, role) = (pick(["", "a", "b"]), pick(["", "admin"]))
            let members = ids.map { ConversationMember(sessionID: $0, name: name, role: role) }
            try attempt(.setMembers(conversation, members))
        }
    }

    private mutating func moveMessage() throws {
        let id = try message()
        guard try engine.makeReader().message(id) != nil else { return }
        var moved = try newMessage()
        moved.id = id
        try attempt(.saveMessage(moved))
    }

    private mutating func makeOfState(_ kind: Kind) throws {
        let log = try LogName("log\(number(2))")
        switch kind {
        case .value, .scene:
            let changes = [
                SceneChange(key: try SceneKey("key\(number(3))"), value: number(4) == 0 ? nil : [UInt8(number(3))])
            ]
            try attempt(
                .setSceneValues(
                    kind == .value ? .globalOnly : .sceneAndGlobal(SceneName("scene")), changes, conditions: []))
        case .log:
            let configuration = LogConfiguration(maximumBytes: 200, overwritesOldest: number(2) == 0)
            try attempt(.openLog(log, configuration, isReplicated: hasOwnIDs))
        default:
            let messages = (0...number(12)).map { _ in [UInt8](repeating: UInt8(number(256)), count: 1 + number(20)) }
            let metadata = try messages.map { message in
                message[0] % 3 == 0 ? try Metadata(data: [message[0]], type: "") : nil
            }
            try attempt(.appendLog(LogAppend(log: log, expected: nil, messages: messages, metadata: metadata)))
        }
    }

    private mutating func makeOfFiles(_ kind: Kind) throws {
        switch kind {
        case .file: try attempt(.saveFile(path(), [UInt8(number(256))], createsParents: true))
        case .largeFile:
            let place: FileWriteRequest.Place = hasLargeContents ? pick([.whole, .end, .offset(0)]) : .whole
            let write = FileWriteRequest(path: try path(), place: place, createsParents: true)
            guard case .begun(let id)? = try? engine.fileWrite(.begin(write)) else { break }
            let bytes =
                hasLargeContents && number(2) == 0
                ? largeContent()
                : [UInt8](repeating: UInt8(number(256)), count: EngineLimits.inlineFileBytesMax + 1)
            try engine.fileWrite(.write(id, offset: 0, data: bytes))
            _ = try? engine.fileWrite(.finish(id))
        case .directory: try attempt(.createDirectory(path(), createsParents: number(2) == 0))
        case .move: try attempt(.moveFile(path(), to: path()))
        case .copy: try attempt(.copyFile(path(), to: path()))
        default:
            try attempt(number(2) == 0 ? .deleteFile(path()) : .removeDirectory(path(), withChildren: true))
        }
    }

    /// Adds and removes reactions of a message, so that some reactions are removed and later added again, after other
    /// reactions.
    private mutating func reactOften() throws {
        let id = try message()
        for _ in 0..<(4 + number(12)) {
            let reaction = ReactionReference(
                messageID: id, authorSessionID: try SessionID("a\(number(6))"), emoji: try Emoji(pick(["👍", "🎉"])))
            try attempt(number(2) == 0 ? .addReaction(reaction) : .removeReaction(reaction))
        }
    }

    /// Sets many values of a scene, so that clearing the scene has an effect.
    private mutating func setManyValues() throws {
        let changes = try (0..<12).map { _ in
            SceneChange(key: try SceneKey("key\(number(20))"), value: [UInt8(number(256))])
        }
        try attempt(.setSceneValues(.sceneOnly(SceneName("scene")), changes, conditions: []))
    }

    /// Moves a directory with files into another directory, which may be older than the moved one. Half of the time,
    /// then moves it to another area.
    private mutating func moveTree() throws {
        let (origin, place) = (try FilePath(.document, "t\(number(2))"), try FilePath(.document, "f\(number(3))"))
        for _ in 0..<(1 + number(3)) {
            let directory = origin.appending(FileName(trusted: "s\(number(2))"))
            let path = directory.appending(FileName(trusted: "f\(number(3))"))
            try attempt(.saveFile(path, [UInt8(number(256))], createsParents: true))
        }
        try attempt(.createDirectory(place, createsParents: true))
        let moved = place.appending(FileName(trusted: "t"))
        try attempt(.moveFile(origin, to: moved))
        if number(2) == 0 {
            try attempt(.moveFile(moved, to: FilePath(.cache, "t\(number(2))")))
        }
    }

    /// Performs an edit. The store may refuse it, for example because there is nothing to change.
    private func attempt(_ mutation: Mutation) throws {
        do {
            try engine.write(mutation)
        } catch let error as StoreError {
            switch error.reason {
            case .internal, .databaseDamaged, .fileDamaged, .storageFailed: throw error
            default: break
            }
        }
    }
}
