import ArgumentParser
import StoreClient

/// Which messages are wanted. Each condition that is given must hold.
struct MessageFilterOptions: ParsableArguments {
    @OptionGroup var range: MessageRangeOptions

    @Option(help: "Only ones that have come so far.")
    var status: StatusOption?

    @Flag(inversion: .prefixedNo, help: "Only ones with an attachment, or only the others.")
    var attachment: Bool?

    @Flag(inversion: .prefixedNo, help: "Only unread ones, or only read ones.")
    var unread: Bool?

    var filter: MessageFilter {
        MessageFilter(
            from: range.from?.timestamp, until: range.until?.timestamp, senderSessionID: range.sender,
            isOutgoing: range.isOutgoing, status: status?.status, hasAttachment: attachment,
            isRead: unread.map { !$0 })
    }
}
