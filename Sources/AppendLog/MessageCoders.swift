public import FoundationEssentials

/// Encodes messages as bytes. Any number of tasks may use an encoder at the same time.
public protocol MessageEncoder: Sendable {
    /// Returns the stored form of a value.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// Decodes messages from bytes. Any number of tasks may use a decoder at the same time.
public protocol MessageDecoder: Sendable {
    /// Returns the value of a stored form.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONEncoder: MessageEncoder {}
extension JSONDecoder: MessageDecoder {}
extension PropertyListEncoder: MessageEncoder {}
extension PropertyListDecoder: MessageDecoder {}

extension MessageDecoder {
    /// Decodes a message. Whatever error the decoder throws, this function throws `.messageUnreadable` with the given
    /// sequence number.
    func message<Message: Decodable>(_ bytes: [UInt8], sequence: UInt64) throws(AppendLogError) -> Message {
        guard let message = try? decode(Message.self, from: Data(bytes)) else {
            throw .messageUnreadable(sequence: sequence)
        }
        return message
    }
}
