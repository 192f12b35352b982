/// The right that a caller needs for a request.
package enum AccessRequirement: Sendable, Hashable {
    /// No right: every caller that may connect.
    case none
    case read(Area)
    case write(Area)
    /// Reading blobs of at least one conversation, and reading messages.
    case exportBlobs
    /// Writing blobs of at least one conversation, and writing messages.
    case importBlobs
    /// The right to export from at least one conversation. The conversation itself was checked when the export began.
    case continueExport
    /// The right to import into at least one conversation. The conversation itself was checked when the import began.
    case continueImport
    /// The right to write at least one file, or to write messages, because attachments of messages are written in the
    /// same way. The path itself was checked when the write began.
    case continueFileWrite
    /// Reading the source files and writing the destination files. If rights are limited to some files, the source and
    /// the destination are checked separately.
    case copyFiles
    /// The rights of `copyFiles`, and writing the source files.
    case moveFiles
    /// Administration, and reading everything in every area of the store.
    case archive
    /// Administration, and writing everything in every area of the store.
    case restoreArchive
    /// Administration, and reading and writing everything in every area of the store. Inviting a device and joining a
    /// replica group need it.
    case wholeStore
    /// Keys, backups, checks and clearing. This is a separate right that no area includes.
    case administration
    /// Carrying the messages of the store's replica group and reading its progress. No area includes this right;
    /// administration does.
    case replication

    /// Returns the rights that a rule must grant to meet the requirement, in the syntax of the configuration.
    ///
    /// - Parameter pattern: Limits the rights to entries whose names match, in areas whose entries have names.
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

    /// The kind of entry whose names a rule may use to limit the requirement; `nil` if a rule cannot limit it by name.
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
