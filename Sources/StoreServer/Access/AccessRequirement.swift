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
    /// A right to write files, whatever path it is about, or messages, whose attachments are written so: the write was
    /// allowed when it began.
    case continueFileWrite
    /// Reading files and writing files at another place. Of rights to some files, those of where they come from and of
    /// where they go are looked at one by one.
    case copyFiles
    /// The same, and writing where they come from.
    case moveFiles
    /// Administration and reading everything in every area of the store.
    case archive
    /// Administration and writing everything in every area of the store.
    case restoreArchive
    /// Administration, and reading and writing everything in every area of the store: what two stores that are brought
    /// into step do to each other.
    case wholeStore
    /// Keys, backups, checks and clearing: a right of its own that no area includes.
    case administration
    /// Carrying the messages of the store's group and seeing how far it is: a right of its own that no area includes,
    /// and that administration does.
    case replication

    /// The rights of a rule that grants it, in the words of the configuration.
    ///
    /// - Parameter pattern: limits them to the entries of that name, where an area's entries have names.
    func ruleText(_ pattern: String? = nil) -> String {
        switch self {
        case .none: ""
        case .read(let area): Self.text(area, "read", pattern)
        case .write(let area): Self.text(area, "write", pattern)
        case .exportBlobs, .continueExport: Self.text(.blobs, "read", pattern) + ",messages:read"
        case .importBlobs, .continueImport: Self.text(.blobs, "write", pattern) + ",messages:write"
        case .continueFileWrite: Self.text(.files, "write", pattern)
        case .copyFiles, .moveFiles: Self.text(.files, "readwrite", pattern)
        case .archive: Self.text(ofAll: "read")
        case .restoreArchive: Self.text(ofAll: "write")
        case .wholeStore: Self.text(ofAll: "readwrite")
        case .administration: "administration"
        case .replication: "replication"
        }
    }

    /// What is named by the names that a rule may limit the requirement to; `nil` when there are none.
    var namedEntry: String? {
        switch self {
        case .none, .administration, .replication, .archive, .restoreArchive, .wholeStore: nil
        case .read(let area), .write(let area): area.namedEntry
        case .exportBlobs, .importBlobs, .continueExport, .continueImport: Area.blobs.namedEntry
        case .copyFiles, .moveFiles, .continueFileWrite: Area.files.namedEntry
        }
    }

    private static func text(ofAll access: String) -> String {
        (Area.inStore.map { "\($0.rawValue):\(access)" } + ["administration"]).joined(separator: ",")
    }

    private static func text(_ area: Area, _ access: String, _ pattern: String?) -> String {
        let limit = area.hasNames ? pattern.map { ":" + $0 } : nil
        return "\(area.rawValue):\(access)\(limit ?? "")"
    }
}
