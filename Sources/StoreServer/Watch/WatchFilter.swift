internal import StoreEngine

/// Which changes a watcher wants.
struct WatchFilter: Sendable, Hashable {
    /// Empty: all kinds.
    var kinds: Set<EntityKind> = []
    /// Only this conversation and its messages; nil: all.
    var conversationID: String?

    /// Clearing the whole store concerns every watcher: it deletes what each of them watches.
    func matches(_ change: Change) -> Bool {
        if change.kind == .store {
            return true
        }
        return (kinds.isEmpty || kinds.contains(change.kind))
            && (conversationID.map { $0 == change.conversationID } ?? true)
    }
}
