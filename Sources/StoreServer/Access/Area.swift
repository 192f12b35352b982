/// A part of the store, or of the daemon's own figures, to which access is granted.
package enum Area: String, Sendable, Hashable, CaseIterable {
    case conversations
    case messages
    case contacts
    case changes
    case scenes
    case logs
    case blobs
    case files
    case metrics

    /// The areas whose entries the store contains. Archives contain these entries, and callers can write to them.
    package static let inStore = allCases.filter(\.isInStore)

    /// False for the daemon's metrics, which callers can only read.
    var isInStore: Bool { self != .metrics }

    /// True for areas whose entries have names chosen by applications. Only there may a rule have a name pattern.
    package var hasNames: Bool {
        namedEntry != nil
    }

    /// The kind of entry whose name is matched against a pattern; `nil` in areas without names.
    var namedEntry: String? {
        switch self {
        case .scenes: "scene"
        case .logs: "log"
        case .blobs: "conversation with the session id"
        case .files: "file at the path"
        case .conversations, .messages, .contacts, .changes, .metrics: nil
        }
    }
}
