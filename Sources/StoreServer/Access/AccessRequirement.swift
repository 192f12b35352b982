/// What a caller must hold for a request to be answered.
public enum AccessRequirement: Sendable, Hashable {
    /// Anyone who may connect.
    case none
    case read(Area)
    case write(Area)
    /// Keys, backups, checks, metrics and clearing: a right of its own that no area includes.
    case administration
}
