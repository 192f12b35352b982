import StoreProtocol

/// Whole request frames for a load generator, and a first look at responses, without the cost of protobuf types.
package enum BenchFrames {
    /// A save_message request.
    /// - Parameter idempotencyKey: none when `nil`.
    package static func saveMessage(
        requestID: UInt64, messageID: String, conversationID: String, text: String, senderSessionID: String = "",
        recipientSessionID: String = "", isOutgoing: Bool = false, idempotencyKey: [UInt8]? = nil
    ) -> [UInt8] {
        var message = FieldWriter()
        message.text(1, messageID)
        var conversation = FieldWriter()
        conversation.text(1, conversationID)
        message.message(2, conversation)
        message.text(3, text)
        message.text(4, senderSessionID)
        message.text(5, recipientSessionID)
        message.bool(8, isOutgoing)
        var call = FieldWriter()
        call.message(1, message)
        return frame(requestID: requestID, call: .saveMessage, call, idempotencyKey: idempotencyKey)
    }

    /// A get_or_create_conversation request.
    package static func getOrCreateConversation(
        requestID: UInt64, sessionID: String, conversationID: String = ""
    ) -> [UInt8] {
        var call = FieldWriter()
        call.text(1, sessionID)
        call.text(2, conversationID)
        return frame(requestID: requestID, call: .getOrCreateConversation, call)
    }

    /// A get_message request.
    package static func getMessage(requestID: UInt64, messageID: String) -> [UInt8] {
        var call = FieldWriter()
        call.text(1, messageID)
        return frame(requestID: requestID, call: .getMessage, call)
    }

    /// A list_messages request for the newest messages of a conversation.
    package static func listMessages(requestID: UInt64, conversationID: String, limit: Int = 100) -> [UInt8] {
        var call = FieldWriter()
        var conversation = FieldWriter()
        conversation.text(1, conversationID)
        call.message(1, conversation)
        call.integer(2, UInt64(UInt32(clamping: limit)))
        return frame(requestID: requestID, call: .listMessages, call)
    }

    /// An append_log request with one message, whatever the log's configuration.
    package static func appendLog(requestID: UInt64, name: String, message: [UInt8]) -> [UInt8] {
        var call = FieldWriter()
        call.text(1, name)
        call.field(4, bytes: message)
        return frame(requestID: requestID, call: .appendLog, call)
    }

    /// A set_scene_values request that sets one key of a scene to a text.
    package static func setSceneValue(requestID: UInt64, scene: String, key: String, text: String) -> [UInt8] {
        var value = FieldWriter()
        value.field(1, bytes: Array(text.utf8))
        var change = FieldWriter()
        change.text(1, key)
        change.message(2, value)
        var call = FieldWriter()
        call.text(1, scene)
        call.message(3, change)
        return frame(requestID: requestID, call: .setSceneValues, call)
    }

    /// A get_scene_values request for one key of a scene.
    package static func getSceneValue(requestID: UInt64, scene: String, key: String) -> [UInt8] {
        var call = FieldWriter()
        call.text(1, scene)
        call.text(3, key)
        return frame(requestID: requestID, call: .getSceneValues, call)
    }

    /// A get_statistics request.
    package static func getStatistics(requestID: UInt64) -> [UInt8] {
        frame(requestID: requestID, call: .getStatistics, FieldWriter())
    }

    /// A ping request.
    package static func ping(requestID: UInt64) -> [UInt8] {
        frame(requestID: requestID, call: .ping, FieldWriter())
    }

    /// A watch request from now on, or after a revision.
    package static func watch(requestID: UInt64, afterRevision: UInt64? = nil) -> [UInt8] {
        var call = FieldWriter()
        if let afterRevision {
            call.field(1, varint: afterRevision)
        }
        return frame(requestID: requestID, call: .watch, call)
    }

    /// What a load generator needs of a response.
    package struct ResponseHead: Hashable, Sendable {
        package let id: UInt64
        package let isError: Bool
        package let hasMore: Bool
    }

    /// - Returns: `nil` when the payload is not a response.
    package static func head(of payload: UnsafeRawBufferPointer) -> ResponseHead? {
        guard let outline = try? AnswerOutline(payload) else {
            return nil
        }
        return ResponseHead(id: outline.id, isError: outline.isError, hasMore: outline.hasMore)
    }

    package static func head(of payload: [UInt8]) -> ResponseHead? {
        payload.withUnsafeBytes { head(of: $0) }
    }

    /// The error a response payload holds; for reports, not for the measured path.
    package static func error(in payload: [UInt8]) -> StoreClientError? {
        guard head(of: payload)?.isError == true else {
            return nil
        }
        return try? StoreClientError(answer: payload)
    }

    private static func frame(
        requestID: UInt64, call: CallKind, _ fields: FieldWriter, idempotencyKey: [UInt8]? = nil
    ) -> [UInt8] {
        var request = FieldWriter()
        request.integer(1, requestID)
        if let idempotencyKey {
            request.field(3, bytes: idempotencyKey)
        }
        request.message(call.rawValue, fields)
        var frame = FieldWriter()
        withUnsafeBytes(of: UInt32(request.bytes.count).bigEndian) { frame.append($0) }
        request.bytes.withUnsafeBytes { frame.append($0) }
        return frame.bytes
    }
}

/// Collects protobuf fields. Defaults are left out, as swift-protobuf does.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    mutating func text(_ number: UInt32, _ value: String) {
        if !value.isEmpty {
            field(number, bytes: Array(value.utf8))
        }
    }

    mutating func integer(_ number: UInt32, _ value: UInt64) {
        if value != 0 {
            field(number, varint: value)
        }
    }

    mutating func bool(_ number: UInt32, _ value: Bool) {
        integer(number, value ? 1 : 0)
    }

    /// A message is written even when it is empty: its presence says which call it is.
    mutating func message(_ number: UInt32, _ fields: FieldWriter) {
        field(number, bytes: fields.bytes)
    }

    mutating func field(_ number: UInt32, varint value: UInt64) {
        varint(UInt64(number) << 3)
        varint(value)
    }

    mutating func field(_ number: UInt32, bytes value: [UInt8]) {
        varint(UInt64(number) << 3 | 2)
        varint(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
