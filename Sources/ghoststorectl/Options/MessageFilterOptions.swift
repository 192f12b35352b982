import ArgumentParser
import StoreClient

/// Which messages are wanted. Each condition that is given must hold.
struct MessageFilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("At or after a time: \(TimeOption.help).", valueName: "time"))
    var from: TimeOption?

    @Option(help: ArgumentHelp("Before a time.", valueName: "time"))
    var until: TimeOption?

    @Option(help: ArgumentHelp("Only of this sender.", valueName: "session"))
    var sender: String?

    @Flag(help: "Only incoming ones.")
    var incoming = false

    @Flag(help: "Only outgoing ones.")
    var outgoing = false

    @Option(help: "Only ones that have come so far.")
    var status: StatusOption?

    @Flag(inversion: .prefixedNo, help: "Only ones with an attachment, or only the others.")
    var attachment: Bool?

    @Flag(inversion: .prefixedNo, help: "Only unread ones, or only read ones.")
    var unread: Bool?

    func validate() throws {
        guard !incoming || !outgoing else {
            throw ValidationError("--incoming and --outgoing exclude each other")
        }
    }

    var filter: MessageFilter {
        MessageFilter(
            from: from?.timestamp, until: until?.timestamp, senderSessionID: sender,
            isOutgoing: incoming ? false : outgoing ? true : nil, status: status?.status, hasAttachment: attachment,
            isRead: unread.map { !$0 })
    }
}
