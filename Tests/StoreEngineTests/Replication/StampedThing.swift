import StoreBasics
import Testing

@testable import StoreEngine

/// Replicated entities of every kind. Two devices change each of them in ways that exclude each other.
enum StampedThing: CaseIterable {
    case contact, notes, block, conversation, pin, draft, sceneValue, scene, messageText, reaction, file, directory, log

    /// Entities that can be changed together in one store, because no change of one affects another.
    static let groups: [[StampedThing]] = [
        [.contact, .conversation, .draft, .sceneValue, .messageText, .file, .log],
        [.notes, .block, .pin, .scene, .reaction, .directory],
    ]

    /// The actions of a device on an entity.
    enum Change: CaseIterable {
        case one, two, remove
    }

    /// Actions of two devices with different results.
    struct Pair: Hashable {
        var older: Change
        var newer: Change

        static let all = Change.allCases.flatMap { older in
            Change.allCases.filter { $0 != older }.map { Pair(older: older, newer: $0) }
        }
    }

    var pairs: [Pair] { Pair.all.filter(allows) }

    func allows(_ pair: Pair) -> Bool {
        // A reaction that was added and removed before it was published is no change for other devices.
        let isUntold = self == .reaction && pair.newer == .remove
        return isPossible(pair.older) && isPossible(pair.newer) && !isUntold
    }

    private func isPossible(_ change: Change) -> Bool {
        switch self {
        case .block, .pin, .reaction, .log: change != .two
        case .messageText: change != .remove
        default: true
        }
    }

    private static let session = SessionID(trusted: "ann")
    private static let chat = ConversationReference.session(session)
    private static let saved = EntityID(trusted: "message")

    private var thumb: ReactionReference {
        get throws { ReactionReference(messageID: Self.saved, authorSessionID: Self.session, emoji: try Emoji("👍")) }
    }

    private var key: SceneKey { get throws { try SceneKey("key") } }
    private var sceneName: SceneName { get throws { try SceneName("scene") } }
    private var path: FilePath {
        get throws { try FilePath(.document, self == .directory ? "directory/file" : "file") }
    }
    private var logName: LogName { get throws { try LogName("events") } }

    /// Creates the state that both devices have at first.
    func prepare(_ engine: StoreEngine) throws {
        try engine.write(.saveContact(ContactUpdate(sessionID: Self.session, displayName: "before", notes: "before")))
        try engine.write(.saveMessage(NewMessage(id: Self.saved, conversation: Self.chat, text: "before")))
        try engine.write(.saveDraft(NewDraft(conversation: Self.chat, content: DraftContent(text: "before"))))
        try engine.write(
            .setSceneValues(.sceneOnly(sceneName), [SceneChange(key: key, value: [0])], conditions: []))
        try engine.write(.saveFile(path, [0], createsParents: true))
        if self == .log {
            let configuration = LogConfiguration(maximumBytes: 1 << 16, overwritesOldest: false)
            try engine.write(.openLog(logName, configuration, isReplicated: true))
            try append("before", engine)
        }
    }

    private func append(_ text: String, _ engine: StoreEngine) throws {
        try engine.write(.appendLog(LogAppend(log: logName, expected: nil, messages: [Array(text.utf8)])))
    }

    func make(_ change: Change, _ engine: StoreEngine) throws {
        if change == .remove { return try remove(engine) }
        let text = "\(change)"
        switch self {
        case .contact: try engine.write(.saveContact(ContactUpdate(sessionID: Self.session, displayName: text)))
        case .notes: try engine.write(.saveContact(ContactUpdate(sessionID: Self.session, notes: text)))
        case .block: try engine.write(.setContactBlocked(Self.session, true))
        case .conversation:
            try engine.write(.updateConversation(Self.chat, ConversationUpdate(displayName: text)))
        case .pin: try engine.write(.updateConversation(Self.chat, ConversationUpdate(isPinned: true)))
        case .draft:
            try engine.write(.saveDraft(NewDraft(conversation: Self.chat, content: DraftContent(text: text))))
        case .sceneValue, .scene:
            let value = SceneChange(key: try key, value: Array(text.utf8))
            try engine.write(.setSceneValues(.sceneOnly(sceneName), [value], conditions: []))
        case .messageText: try engine.write(.editMessage(Self.saved, text: text, editedAt: nil))
        case .reaction: try engine.write(.addReaction(thumb))
        case .file, .directory: try engine.write(.saveFile(path, Array(text.utf8), createsParents: true))
        case .log: try append(text, engine)
        }
    }

    private func remove(_ engine: StoreEngine) throws {
        switch self {
        case .contact: try engine.write(.deleteContact(Self.session))
        case .notes: try engine.write(.saveContact(ContactUpdate(sessionID: Self.session, notes: "")))
        case .block:
            try turnOff(engine, .setContactBlocked(Self.session, false), after: .setContactBlocked(Self.session, true))
        case .conversation:
            try turnOff(
                engine, .updateConversation(Self.chat, ConversationUpdate(displayName: "")),
                after: .updateConversation(Self.chat, ConversationUpdate(displayName: "before")))
        case .pin:
            try turnOff(
                engine, .updateConversation(Self.chat, ConversationUpdate(isPinned: false)),
                after: .updateConversation(Self.chat, ConversationUpdate(isPinned: true)))
        case .draft: try engine.write(.deleteDraft(Self.chat))
        case .sceneValue:
            try engine.write(
                .setSceneValues(.sceneOnly(sceneName), [SceneChange(key: key, value: nil)], conditions: []))
        case .scene: try engine.write(.removeScene(sceneName))
        case .messageText: break
        case .reaction: try turnOff(engine, .removeReaction(thumb), after: .addReaction(thumb))
        case .file: try engine.write(.deleteFile(path))
        case .directory: try engine.write(.removeDirectory(FilePath(.document, "directory"), withChildren: true))
        case .log: try engine.write(.deleteLog(logName))
        }
    }

    /// Sets a flag or a name and then clears it, because clearing it alone would be no change.
    private func turnOff(_ engine: StoreEngine, _ change: Mutation, after turningOn: Mutation) throws {
        try engine.write(turningOn)
        try engine.write(change)
    }

    /// Returns the state of the entity on a device, without times.
    func value(_ fleet: ReplicaFleet, _ device: Int) throws -> String {
        let engine = fleet.devices[device].engine
        let reader = engine.makeReader()
        let none = "none"
        switch self {
        case .contact: return try reader.contact(Self.session, includeAvatar: false)?.displayName ?? none
        case .notes: return try reader.contact(Self.session, includeAvatar: false)?.notes ?? none
        case .block: return try reader.contact(Self.session, includeAvatar: false)?.isBlocked == true ? "one" : none
        case .conversation: return try reader.conversation(Self.chat, includeAvatar: false)?.displayName ?? none
        case .pin:
            return try reader.conversation(Self.chat, includeAvatar: false)?.isPinned == true ? "one" : none
        case .draft: return try reader.draft(in: Self.chat)?.content.text ?? none
        case .sceneValue, .scene:
            for case .sceneValue(let held) in try engine.archived() {
                return String(decoding: held.value, as: UTF8.self)
            }
            return none
        case .messageText: return try reader.message(Self.saved)?.text ?? none
        case .reaction:
            return try reader.reactions(to: Self.saved, limit: 9, cursor: nil).reactions.isEmpty ? none : "one"
        case .file, .directory:
            guard try reader.fileItem(at: path) != nil else { return none }
            return String(decoding: try reader.readFile(at: path, from: 0).bytes, as: UTF8.self)
        case .log:
            guard try reader.log(logName) != nil else { return none }
            let texts = try fleet.entries(device, logName).map { String(decoding: $0.data, as: UTF8.self) }
            return texts.contains("one") ? "one" : texts.joined(separator: " ")
        }
    }

    /// Returns the expected state of the entity after a change.
    func value(after change: Change) -> String { change == .remove ? "none" : "\(change)" }
}
