/// Checks of values that have no type of their own.
enum TextBounds {
    static func checkDisplayName(_ text: String?) throws(StoreError) {
        try check(text, named: "display name", bytesMax: EngineLimits.displayNameBytesMax)
    }

    static func checkNotes(_ text: String?) throws(StoreError) {
        try check(text, named: "notes", bytesMax: EngineLimits.notesBytesMax)
    }

    static func checkAvatar(_ avatar: [UInt8]?) throws(StoreError) {
        guard let avatar, avatar.count > EngineLimits.avatarBytesMax else { return }
        throw .invalidArgument("the avatar has \(avatar.count) bytes; the most is \(EngineLimits.avatarBytesMax)")
    }

    static func checkMessageText(_ text: String) throws(StoreError) {
        try check(text, named: "message text", bytesMax: EngineLimits.messageTextBytesMax)
    }

    static func check(_ message: NewMessage) throws(StoreError) {
        try checkMessageText(message.text)
        try check(message.senderSessionID, named: "sender session id", bytesMax: SessionID.bytesMax)
        try check(message.recipientSessionID, named: "recipient session id", bytesMax: SessionID.bytesMax)
        try check(message.attachmentURL, named: "attachment url", bytesMax: EngineLimits.attachmentURLBytesMax)
        try check(message.attachmentType, named: "attachment type", bytesMax: EngineLimits.attachmentTypeBytesMax)
    }

    static func checkSceneValue(_ value: [UInt8]?) throws(StoreError) {
        guard let value, value.count > EngineLimits.sceneValueBytesMax else { return }
        throw .invalidArgument("the value has \(value.count) bytes; the most is \(EngineLimits.sceneValueBytesMax)")
    }

    static func checkCount(_ count: Int, named name: String) throws(StoreError) {
        guard count > 0 else {
            throw .invalidArgument("the request names no \(name)")
        }
        guard count <= EngineLimits.requestEntitiesMax else {
            throw .invalidArgument(
                "the request has \(count) \(name); the most is \(EngineLimits.requestEntitiesMax); send several")
        }
    }

    /// What holds for every name.
    static func check(name text: String, named name: String, bytesMax: Int) throws(StoreError) {
        guard !text.isEmpty else {
            throw .invalidArgument("the \(name) is empty")
        }
        try check(text, named: name, bytesMax: bytesMax)
        guard !text.utf8.contains(0) else {
            throw .invalidArgument("the \(name) holds a NUL byte")
        }
    }

    private static func check(_ text: String?, named name: String, bytesMax: Int) throws(StoreError) {
        guard let text, text.utf8.count > bytesMax else { return }
        throw .invalidArgument("the \(name) has \(text.utf8.count) bytes; the most is \(bytesMax)")
    }
}
