import StoreProtocol
import SwiftProtobuf

extension ArchiveRecord {
    /// Reads a record from its JSON form. A field that this client does not know is an error, because it may be
    /// misspelt.
    ///
    /// - Throws: `.jsonUnreadable`. The message contains the name of an unknown field, and no content.
    public init(json: String) throws(StoreClientError) {
        guard let record = Self(try WireArchiveRecord(protobufJSON: json)) else {
            throw StoreClientError(
                code: .invalidArgument, reason: .jsonUnreadable,
                message:
                    "the record has no kind that this client knows; hint: archives.proto lists the kinds"
            )
        }
        self = record
    }

    /// The record in the standard JSON form of protobuf, in one line: names in camel case, integers of 64 bits as
    /// strings, bytes as base64. Fields with their default value (0, false or empty) are omitted.
    ///
    /// - Throws: `.invalidArgument` if the record has fields that this client does not know, because JSON would lose
    ///   them.
    public var json: String {
        get throws(StoreClientError) {
            guard isKnown, let json = try? wire.jsonString() else {
                throw .invalidArgument(
                    "JSON would lose fields that this client does not know; hint: use a newer client")
            }
            return json
        }
    }

    /// False if the message, or a message inside it, has fields that this client does not know.
    private var isKnown: Bool {
        var options = BinaryDecodingOptions()
        options.discardUnknownFields = true
        guard let bytes: [UInt8] = try? wire.serializedBytes(),
            let known = try? WireArchiveRecord(serializedBytes: bytes, options: options)
        else { return false }
        return known == wire
    }
}
