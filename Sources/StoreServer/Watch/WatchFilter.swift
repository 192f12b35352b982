internal import StoreEngine

/// Which changes a watcher wants.
struct WatchFilter: Sendable, Hashable {
    /// Empty: all kinds.
    var kinds: Set<EntityKind> = []
    /// Only this conversation and its messages; nil: all.
    var conversationID: String?
    /// Only values of this scene, and the global ones that it may fall back to; nil: all.
    var scene: String?

    /// Clearing the whole store concerns every watcher: it deletes what each of them watches.
    func matches(_ change: Change) -> Bool {
        if change.kind == .store {
            return true
        }
        guard kinds.isEmpty || kinds.contains(change.kind) else {
            return false
        }
        if let scene {
            return change.kind == .sceneValue
                && (change.parent.isEmpty || change.parent.utf8.elementsEqual(scene.utf8))
        }
        if let conversationID {
            return switch change.kind {
            case .conversation: change.id.utf8.elementsEqual(conversationID.utf8)
            case .message: change.parent.utf8.elementsEqual(conversationID.utf8)
            case .contact, .store, .sceneValue, .log: false
            }
        }
        return true
    }
}
