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

    func validate() throws {
        guard attachThumbnail.count <= attach.count, attachSource.count <= attach.count else {
            throw ValidationError("more thumbnails or sources than files are given; hint: name each file with --attach")
        }
    }

    /// - Parameter allowsEmpty: False to reject an empty standard input.
    func attachments(_ client: StoreClient, allowsEmpty: Bool) async throws -> [NewAttachment] {
        // An ambiguous option is rejected before any file is read or sent.
        for file in attach {
            _ = try file.parts()
        }
        let thumbnails = try attachThumbnail.map { (path) throws(CommandFailure) in
            try thumbnail(path, allowsEmpty: allowsEmpty)
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
            attachments.append(attachment)
        }
        return attachments
    }

    private func thumbnail(_ path: String, allowsEmpty: Bool) throws(CommandFailure) -> [UInt8] {
        guard !path.isEmpty else { return [] }
        let file = try InputFile(path)
        let bytes = try file.readAll(bytesMax: Self.thumbnailBytesMax)
        if !allowsEmpty {
            try file.refuseEmpty(bytes)
        }
        return bytes
    }
}
