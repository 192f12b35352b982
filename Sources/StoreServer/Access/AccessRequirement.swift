/// What a caller must hold for a request to be answered.
package enum AccessRequirement: Sendable, Hashable {
    /// Anyone who may connect.
    case none
    case read(Area)
    case write(Area)
    /// Reading blobs of some conversation and reading messages.
    case exportBlobs
    /// Writing blobs of some conversation and writing messages.
    case importBlobs
    /// A right to export, whatever conversation it is about: the export was allowed when it began.
    case continueExport
    /// A right to import, whatever conversation it is about: the import was allowed when it began.
    case continueImport
    /// Keys, backups, checks, metrics and clearing: a right of its own that no area includes.
    case administration

    /// The rights of a rule that grants it, in the words of the configuration.
    var ruleText: String {
        switch self {
        case .none: ""
        case .read(let area): "\(area.rawValue):read"
        case .write(let area): "\(area.rawValue):write"
        case .exportBlobs, .continueExport: "blobs:read,messages:read"
        case .importBlobs, .continueImport: "blobs:write,messages:write"
        case .administration: "administration"
        }
    }
}
