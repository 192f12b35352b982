internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol
internal import SwiftProtobuf

/// Turns a call's bytes into a `Command`: the only place where protobuf of requests is read.
enum RequestDecoder {
    /// - Parameters:
    ///   - call: the bytes of the call's own message, secrets already lifted out of them.
    /// - Throws: `RequestFailure` with the reason that names what is wrong.
    static func decode(
        _ kind: CallKind, _ call: UnsafeRawBufferPointer, secrets: RequestSecrets
    ) throws(RequestFailure) -> Command {
        if let command = try FastDecoding.decode(kind, call) {
            return command
        }
        switch kind {
        case .hello, .ping, .getStatus, .getMetrics, .cancel:
            return try decodeService(kind, call)
        case .initializeStore, .unlock, .lock, .listKeySlots, .addKeySlot, .removeKeySlot, .changePassphrase,
            .rotateMasterKey:
            return .administration(try decodeKeys(kind, call, secrets))
        case .checkStore, .createBackup, .listBackups, .readBackup, .beginBackupUpload, .writeBackup, .verifyBackup,
            .restoreBackup, .deleteBackup:
            return .administration(try decodeMaintenance(kind, call, secrets))
        case .getStatistics:
            return .pointRead(.statistics)
        case .clearAllData, .compactChanges, .listChanges, .watch:
            return try decodeChanges(kind, call)
        case .getOrCreateConversation, .getConversation, .listConversations, .updateConversation,
            .markConversationRead, .deleteConversation:
            return try decodeConversations(kind, call)
        case .saveMessage, .saveMessages, .getMessage, .listMessages, .updateMessageStatus, .markMessagesRead,
            .editMessage, .deleteMessages:
            return try decodeMessages(kind, call)
        case .saveContact, .getContact, .listContacts, .deleteContact, .setContactBlocked:
            return try decodeContacts(kind, call)
        case .setSceneValues, .getSceneValues, .listScenes, .removeScene:
            return try decodeScenes(kind, call)
        case .openLog, .appendLog, .readLog, .getLog, .listLogs, .deleteLog:
            return try decodeLogs(kind, call)
        case .beginBlobExport, .readBlobExport, .beginBlobImport, .writeBlobImport, .finishBlobImport, .endBlobSession:
            return .blob(try decodeBlobs(kind, call, secrets))
        }
    }

    /// Parses one message; what v1 does not know is dropped.
    static func parse<Wire: SwiftProtobuf.Message>(
        _ type: Wire.Type, _ call: UnsafeRawBufferPointer
    ) throws(RequestFailure) -> Wire {
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = FrameLimits.messageDepthMax
        options.discardUnknownFields = true
        do {
            return try Wire(serializedBytes: call.bytes, options: options)
        } catch {
            throw RequestFailure(.requestMalformed, "the call's message does not parse as protobuf")
        }
    }

    /// Runs one of the engine's parsing initialisers.
    static func checked<Value>(_ body: () throws(StoreError) -> Value) throws(RequestFailure) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            throw RequestFailure(error)
        }
    }

    /// An id that may be left out.
    static func optionalID(_ text: String) throws(RequestFailure) -> EntityID? {
        guard !text.isEmpty else {
            return nil
        }
        return try checked { () throws(StoreError) in try EntityID(text) }
    }

    static func entityID(_ text: String) throws(RequestFailure) -> EntityID {
        try checked { () throws(StoreError) in try EntityID(text) }
    }

    static func sessionID(_ text: String) throws(RequestFailure) -> SessionID {
        try checked { () throws(StoreError) in try SessionID(text) }
    }

    /// A time where 0 means now.
    static func timestamp(_ microseconds: Int64) -> Timestamp? {
        microseconds == 0 ? nil : Timestamp(microseconds: microseconds)
    }

    /// A page's number of rows, where 0 means the default.
    static func limit(
        _ value: UInt32, default defaultValue: Int = EngineLimits.pageRowsDefault,
        max: Int = EngineLimits.pageRowsMax
    ) throws(RequestFailure) -> Int {
        guard value > 0 else {
            return defaultValue
        }
        guard value <= max else {
            throw .invalidArgument("the limit is \(value); the most is \(max)")
        }
        return Int(value)
    }
}
