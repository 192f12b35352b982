extension FieldLimits {
    static func check(_ message: NewMessage) throws(StoreError) {
        try checkMessageText(message.text)
        try checkAttachment(url: message.attachmentURL, type: message.attachmentType)
        try check(message.senderSessionID, named: "sender session id", bytesMax: SessionID.bytesMax)
        try check(message.recipientSessionID, named: "recipient session id", bytesMax: SessionID.bytesMax)
        try checkKind(message.kind)
        try check(message.senderName, named: "sender's name", bytesMax: EngineLimits.senderNameBytesMax)
    }

    static func check(_ draft: DraftContent) throws(StoreError) {
        try check(draft.text, named: "draft's text", bytesMax: EngineLimits.messageTextBytesMax)
        try checkAttachment(url: draft.attachmentURL, type: draft.attachmentType)
    }
}
