import ArgumentParser
import StoreClient

/// Files to attach to a message or draft, in order.
struct AttachOptions: ParsableArguments {
    /// The largest thumbnail that the daemon accepts. A larger one is rejected before it is sent.
    private static let thumbnailBytesMax = 16_384

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            Attach a file of this machine, with its MIME type after a colon; '-' is standard input. Repeat for \
            more files.
            """,
            valueName: "file[:type]"),
        completion: .file())
    var attach: [AttachedFile] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            Thumbnail of the first attached file; '-' is standard input, and '' means none. Repeat for the other \
            files in order.
            """,
            valueName: "file"),
        completion: .file())
    var attachThumbnail: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            URL from which the first attached file can be fetched again, so that the daemon may remove its content to \
            make room; '' for none. Repeat for the other files in order.
            """,
            valueName: "url"))
    var attachSource: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            File with data of your own about the first attached file; '-' is standard input, and '' means none. Repeat \
            for the other files in order.
            """,
            valueName: "file"),
        completion: .file())
    var attachMetadata: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Media type of the first --attach-metadata; '' for none. Repeat for the other files in order.
            """,
            valueName: "type"))
    var attachMetadataType: [String] = []

    func validate() throws {
        let valueCount = max(attachThumbnail.count, attachSource.count, attachMetadata.count)
        guard valueCount <= attach.count else {
            throw ValidationError(
                "more thumbnails, sources or metadata than files are given; hint: name each file with --attach")
        }
        guard attachMetadataType.count <= attachMetadata.count else {
            throw ValidationError("--attach-metadata-type needs --attach-metadata")
        }
    }

    /// - Parameter allowsEmpty: False to reject an empty standard input.
    func attachments(_ client: StoreClient, allowsEmpty: Bool) async throws -> [NewAttachment] {
        // An ambiguous option is rejected before any file is read or sent.
        for file in attach {
            _ = try file.parts()
        }
        let thumbnails = try attachThumbnail.map { (path) throws(CommandFailure) in
            try Self.bytes(of: path, atMost: Self.thumbnailBytesMax, allowsEmpty: allowsEmpty)
        }
        let metadata = try attachMetadata.map { (path) throws(CommandFailure) in
            try Self.bytes(of: path, atMost: MetadataOptions.bytesMax, allowsEmpty: allowsEmpty)
        }
        var attachments: [NewAttachment] = []
        for (index, file) in attach.enumerated() {
            var attachment = try await file.attachment(client, allowsEmpty: allowsEmpty)
            if index < thumbnails.count {
                attachment.thumbnail = thumbnails[index]
            }
            if index < attachSource.count, !attachSource[index].isEmpty {
                attachment.source = attachSource[index]
            }
            let type = index < attachMetadataType.count ? attachMetadataType[index] : ""
            if index < metadata.count, !metadata[index].isEmpty {
                attachment.metadata = Metadata(data: metadata[index], type: type)
            } else if !type.isEmpty {
                throw CommandFailure(.usage, "--attach-metadata-type gives a type to a file without --attach-metadata")
            }
            attachments.append(attachment)
        }
        return attachments
    }

    /// Returns the bytes of a file; none for an empty path.
    private static func bytes(
        of path: String, atMost bytesMax: Int, allowsEmpty: Bool
    ) throws(CommandFailure) -> [UInt8] {
        guard !path.isEmpty else { return [] }
        let file = try InputFile(path)
        let bytes = try file.readAll(bytesMax: bytesMax)
        if !allowsEmpty {
            try file.refuseEmpty(bytes)
        }
        return bytes
    }
}
