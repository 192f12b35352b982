/// The fields with which requests select messages. A message must match all of them.
package protocol MessageFilterFields {
    var fromMicroseconds: Int64 { get set }
    var hasFromMicroseconds: Bool { get }
    var untilMicroseconds: Int64 { get set }
    var hasUntilMicroseconds: Bool { get }
    var senderSessionID: String { get set }
    var hasSenderSessionID: Bool { get }
    var isOutgoing: Bool { get set }
    var hasIsOutgoing: Bool { get }
    var status: WireMessageStatus { get set }
    var hasStatus: Bool { get }
    var hasAttachment_p: Bool { get set }
    var hasHasAttachment_p: Bool { get }
    var isRead: Bool { get set }
    var hasIsRead: Bool { get }
}

extension WireListMessagesRequest: MessageFilterFields {}
extension WireSearchMessagesRequest: MessageFilterFields {}
