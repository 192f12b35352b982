/// A part of the store, or of what its daemon tells, that access is granted to.
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

    /// What the store holds: what archives are of, and what can be written.
    package static let inStore = allCases.filter(\.isInStore)

    /// False for what the daemon counts, which can only be read.
    var isInStore: Bool { self != .metrics }

    /// True for areas whose entries have names chosen by applications, so that a rule may name a pattern.
    package var hasNames: Bool {
        namedEntry != nil
    }

    /// What has the name that a pattern is held against; `nil` in areas without.
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
