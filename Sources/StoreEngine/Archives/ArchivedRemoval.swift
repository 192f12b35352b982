package import StoreBasics

/// A removal in an archive of changes. If the archive also contains a thing of the same name, that thing was created
/// after the removal.
package struct ArchivedRemoval: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case contact(EntityID)
        /// The conversation with its messages and its draft.
        case conversation(EntityID)
        case message(EntityID)
        /// The draft of the conversation with this id.
        case draft(EntityID)
        /// A value of a scene; without a scene, a value of the global tier.
        case sceneValue(SceneName?, SceneKey)
        /// All of the scene's own values.
        case scene(SceneName)
        case log(LogName)
        /// The file, or the directory with its content.
        case file(FilePath)
        /// The reactions to the preceding message, except reactions whose records come between the message and this
        /// removal.
        case reactions(of: EntityID)
    }

    package var subject: Subject
    package var removedAt: Timestamp

    package init(_ subject: Subject, removedAt: Timestamp) {
        self.subject = subject
        self.removedAt = removedAt
    }
}

/// An `ArchivedRemoval` of archives.proto.
struct RemovalFields: FieldMessage {
    private var kind: UInt64 = 0
    private var id = ""
    private var parentID = ""
    private var removedAt = Timestamp(microseconds: 0)

    init() {}

    init(_ removal: ArchivedRemoval) {
        let kind: EntityKind
        switch removal.subject {
        case .contact(let name): (kind, id) = (.contact, name.text)
        case .conversation(let name): (kind, id) = (.conversation, name.text)
        case .message(let name): (kind, id) = (.message, name.text)
        case .draft(let name): (kind, id) = (.draft, name.text)
        case .sceneValue(let scene, let key): (kind, id, parentID) = (.sceneValue, key.text, scene?.text ?? "")
        case .scene(let scene): (kind, parentID) = (.sceneValue, scene.text)
        case .log(let name): (kind, id) = (.log, name.text)
        case .file(let path): (kind, id) = (.file, path.text)
        case .reactions(let message): (kind, id) = (.reaction, message.text)
        }
        self.kind = UInt64(kind.rawValue)
        removedAt = removal.removedAt
    }

    mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &kind)
        try form.field(2, &id)
        try form.field(3, &parentID)
        try form.field(4, &removedAt)
    }

    /// - Throws: `.invalidArgument` for a removal that no store can contain.
    func removal() throws(StoreError) -> ArchivedRemoval {
        let subject: ArchivedRemoval.Subject
        switch UInt8(exactly: kind).flatMap(EntityKind.init(rawValue:)) {
        case .contact: subject = .contact(try Name(id))
        case .conversation: subject = .conversation(try Name(id))
        case .message: subject = .message(try Name(id))
        case .draft: subject = .draft(try Name(id))
        case .sceneValue where id.isEmpty: subject = .scene(try Name(parentID))
        case .sceneValue: subject = .sceneValue(parentID.isEmpty ? nil : try Name(parentID), try Name(id))
        case .log: subject = .log(try Name(id))
        case .file: subject = .file(try FilePath(text: id))
        case .reaction: subject = .reactions(of: try Name(id))
        case .store, .member, nil:
            throw .invalidArgument("the kind of the removed entry is unknown to this daemon")
        }
        return ArchivedRemoval(subject, removedAt: removedAt)
    }
}
