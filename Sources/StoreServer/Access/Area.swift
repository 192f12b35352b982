/// A part of the store that access is granted to.
package enum Area: String, Sendable, Hashable, CaseIterable {
    case conversations
    case messages
    case contacts
    case changes
    case scenes
    case logs
    case blobs
    case files

    /// True for areas whose entries have names chosen by applications, so that a rule may name a pattern.
    package var hasNames: Bool {
        switch self {
        case .scenes, .logs, .blobs, .files: true
        case .conversations, .messages, .contacts, .changes: false
        }
    }
}
