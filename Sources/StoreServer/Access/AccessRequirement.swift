/// What a caller must hold for a request to be answered.
public enum AccessRequirement: Sendable, Hashable {
    /// Anyone who may connect.
    case none
    case read(Area)
    case write(Area)
    /// Reading blobs of some conversation and reading messages.
    case exportBlobs
    /// Writing blobs of some conversation and writing messages.
    case importBlobs
    /// Keys, backups, checks, metrics and clearing: a right of its own that no area includes.
    case administration
}
