internal import Interchange
internal import StoreBasics

/// Between messages of the store and messages of a blob file.
extension BlobMessage {
    /// A message of the store as a file holds it: times lose what is below the millisecond.
    init(text: String, isOutgoing: Bool, attachmentType: String?, timestamp: Timestamp) {
        self.init(
            text: text, isSent: isOutgoing, type: BlobMessageType(text: text, attachmentType: attachmentType),
            timestampMilliseconds: timestamp.microseconds.flooredQuotient(1_000))
    }

    /// This message as an import saves it: as read, since it is history and not news.
    ///
    /// - Returns: nil when the time is outside of what the store can hold.
    func newMessage(
        id: EntityID?, in conversation: ConversationReference, sessionID: String
    ) -> NewMessage? {
        let (microseconds, isOverflowing) = timestampMilliseconds.multipliedReportingOverflow(by: 1_000)
        guard !isOverflowing else {
            return nil
        }
        return NewMessage(
            id: id, conversation: conversation, text: text, senderSessionID: isSent ? "" : sessionID,
            recipientSessionID: isSent ? sessionID : "", timestamp: Timestamp(microseconds: microseconds),
            status: isSent ? .sent : .delivered, isOutgoing: isSent, isRead: true,
            attachmentType: type.attachmentType(forText: text))
    }
}

extension Int64 {
    /// Rounds down, also below zero.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
