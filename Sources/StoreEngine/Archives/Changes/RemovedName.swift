import StoreBasics

/// The name of a removed thing, from the change log. It stores only texts, because there may be many names in memory. A
/// thing sorts before the thing that contains it, so that each removal finds something to remove.
struct RemovedName: Comparable {
    private enum Kind: UInt8 {
        case contact
        case message
        case draft
        case conversation
        case sceneValue
        case scene
        case log
        case file
    }

    private let kind: Kind
    private let parent: String
    private let id: String

    /// The approximate number of bytes that the name needs in memory.
    var byteCount: Int { Self.overheadBytes + parent.utf8.count + id.utf8.count }

    /// - Returns: `nil` for things that are removed only together with another thing.
    init?(_ entry: ChangeEntry) {
        switch entry.kind {
        case .contact: kind = .contact
        case .conversation: kind = .conversation
        case .message: kind = .message
        case .draft: kind = .draft
        case .sceneValue: kind = entry.operation == .cleared ? .scene : .sceneValue
        case .log: kind = .log
        case .file: kind = .file
        case .store, .reaction, .member: return nil
        }
        // Only the name of a scene value contains the parent. The name of a message does not contain its conversation.
        parent = entry.kind == .sceneValue ? entry.parent : ""
        id = kind == .scene ? "" : entry.id
    }

    /// - Returns: `nil` for the removal of all global values, which archives do not contain.
    func subject() throws(StoreError) -> ArchivedRemoval.Subject? {
        let scene = parent == SceneTiers.globalScene ? nil : SceneName(trusted: parent)
        switch kind {
        case .contact: return .contact(EntityID(trusted: id))
        case .conversation: return .conversation(EntityID(trusted: id))
        case .message: return .message(EntityID(trusted: id))
        case .draft: return .draft(EntityID(trusted: id))
        case .scene: return scene.map { .scene($0) }
        case .sceneValue: return .sceneValue(scene, SceneKey(trusted: id))
        case .log: return .log(LogName(trusted: id))
        case .file: return .file(try FilePath(text: id))
        }
    }

    static func == (name: RemovedName, other: RemovedName) -> Bool {
        name.kind == other.kind && name.parent.hasSameBytes(as: other.parent)
            && name.id.hasSameBytes(as: other.id)
    }

    static func < (name: RemovedName, other: RemovedName) -> Bool {
        guard name.kind == other.kind else { return name.kind.rawValue < other.kind.rawValue }
        guard name.parent.hasSameBytes(as: other.parent) else {
            return name.parent.utf8.lexicographicallyPrecedes(other.parent.utf8)
        }
        // Descending order puts a path before the directories above it.
        let (first, second) = name.kind == .file ? (other.id, name.id) : (name.id, other.id)
        return first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    private static let overheadBytes = 64
}
