public import FoundationEssentials

/// Writes messages as bytes. One may be used by any number of tasks at once.
public protocol MessageEncoder: Sendable {
    /// The bytes that are kept of a value.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// Reads messages from bytes. One may be used by any number of tasks at once.
public protocol MessageDecoder: Sendable {
    /// The value that was kept as these bytes.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONEncoder: MessageEncoder {}
extension JSONDecoder: MessageDecoder {}
extension PropertyListEncoder: MessageEncoder {}
extension PropertyListDecoder: MessageDecoder {}

extension MessageDecoder {
    /// A message of a log.
    func message<Message: Decodable>(_ bytes: [UInt8], sequence: UInt64) throws(AppendLogError) -> Message {
        guard let message = try? decode(Message.self, from: Data(bytes)) else {
            throw .messageUnreadable(sequence: sequence)
        }
        return message
    }
}
