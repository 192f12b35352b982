import ArgumentParser
import StoreClient

struct BlobsExportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a conversation, or a part of it, as a message file.",
        discussion: """
            The file shows the conversation as it was at one moment, and appears whole or not at all. Unless it is \
            sealed, it holds plain text. Times lose what is below the millisecond.
            """)

    @Argument(help: "Session id of the conversation, or its id with --by-id.")
    var conversation: String

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Flag(name: .customLong("by-id"), help: "The conversation is named by its id.")
    var isByID = false

    @OptionGroup var range: MessageRangeOptions

    @OptionGroup var sealing: BlobSealOptions

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        var output = try OutputFile(file, replacesExisting: force)
        let filter = BlobFilter(
            from: range.from?.timestamp, until: range.until?.timestamp, senderSessionID: range.sender,
            isOutgoing: range.isOutgoing)
        let export = try await session.client.beginBlobExport(
            of: isByID ? .id(conversation) : .sessionID(conversation), filter: filter, seal: try sealing.read())
        let writer = DescriptorWriter(descriptor: output.descriptor)
        try await BlobTransfer(session).download(export, to: writer)
        try output.commit()
        var object = JSONObject()
        object.add("file", file)
        object.add("messages", export.messageCount)
        object.add("bytes", export.totalBytes)
        object.add("is_sealed", sealing.isGiven)
        try session.output.say(
            "\(Quantity.count(export.messageCount, "message")) in \(file)", json: object)
    }
}
