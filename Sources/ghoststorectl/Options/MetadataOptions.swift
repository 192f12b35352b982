import ArgumentParser
import StoreClient

/// Metadata, read from a file, and their type.
struct MetadataOptions: ParsableArguments {
    /// The daemon accepts 64 KiB. More is rejected before it is sent.
    static let bytesMax = 64 << 10

    @Option(
        help: ArgumentHelp("File with data of your own; '-' is standard input.", valueName: "file"),
        completion: .file())
    var metadata: String?

    @Option(help: ArgumentHelp("Media type of the data of --metadata.", valueName: "type"))
    var metadataType: String?

    func validate() throws {
        guard metadata != nil || metadataType == nil else { throw ValidationError("--metadata-type needs --metadata") }
    }

    /// Reads the data; returns `nil` if none are given.
    ///
    /// - Parameters:
    ///   - allowsEmpty: False to reject an empty standard input.
    ///   - hint: What to do if standard input is meant to be empty.
    func read(allowsEmpty: Bool, hint: String = EmptyInputOptions.hint) throws(CommandFailure) -> Metadata? {
        guard let metadata else { return nil }
        let file = try InputFile(metadata)
        let bytes = try file.readAll(bytesMax: Self.bytesMax)
        if !allowsEmpty {
            try file.refuseEmpty(bytes, hint: hint)
        }
        return Metadata(data: bytes, type: metadataType ?? "")
    }
}

/// The options that set new metadata or remove the existing metadata.
struct MetadataUpdateOptions: ParsableArguments {
    @OptionGroup var given: MetadataOptions

    @Flag(help: "Remove the data of --metadata.")
    var removeMetadata = false

    func validate() throws {
        guard given.metadata == nil || !removeMetadata else {
            throw ValidationError("--metadata and --remove-metadata cannot be combined")
        }
    }

    var isGiven: Bool { given.metadata != nil || removeMetadata }

    /// - Parameter allowsEmpty: False to reject an empty standard input.
    func update(allowsEmpty: Bool) throws(CommandFailure) -> FieldUpdate<Metadata> {
        removeMetadata ? .remove : FieldUpdate(present: try given.read(allowsEmpty: allowsEmpty))
    }
}
