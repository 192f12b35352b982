import ReplicaModel
import SQLCipher
import StoreBasics

/// The position of a walk over everything that is replicated. A thing comes after the things that it needs: messages
/// after conversations, reactions after messages.
enum ReplicaWalk: Hashable, Sendable {
    /// The things of a kind that follow a name.
    case things(ThingKind, after: [UInt8])
    case messages(after: MessagePlace)
    /// The removed messages that follow an id.
    case removedMessages(after: String)
    /// The removed files and directories that precede a name. The content of a directory comes before the directory,
    /// because a directory that is not empty is not removed.
    case removedFiles(before: [UInt8])
    /// The log entries after an entry of one log: the rest of this log, and all logs after it.
    case logEntries(log: Int64, after: Int64)

    static let start = ReplicaWalk.things(.contact, after: [])

    /// The start of the next part of the walk; `nil` after the last.
    var nextPart: ReplicaWalk? {
        switch self {
        case .things(.contact, _): .things(.conversation, after: [])
        case .things(.conversation, _): .things(.draft, after: [])
        case .things(.draft, _): .things(.member, after: [])
        case .things(.member, _): .things(.sceneValue, after: [])
        case .things(.sceneValue, _): .things(.log, after: [])
        case .things(.log, _): .removedFiles(before: ThingName.end(ofNamesBeginningWith: []))
        case .removedFiles: .things(.file, after: [])
        case .things(.file, _): .messages(after: .start(of: .min))
        case .messages: .removedMessages(after: "")
        case .removedMessages: .things(.reaction, after: [])
        case .things(.reaction, _): .logEntries(log: 0, after: 0)
        case .logEntries: nil
        }
    }

    // MARK: Stored form

    var bytes: [UInt8] {
        switch self {
        case .things(let kind, let name):
            return [0, kind.rawValue] + name
        case .messages(let place):
            var bytes: [UInt8] = [1]
            bytes.append(bigEndian: UInt64(bitPattern: place.conversation))
            bytes.append(time: place.timestamp)
            return bytes + place.id.text.utf8
        case .removedMessages(let id):
            return [2] + id.utf8
        case .removedFiles(let name):
            return [3] + name
        case .logEntries(let log, let sequence):
            var bytes: [UInt8] = [4]
            bytes.append(bigEndian: UInt64(bitPattern: log))
            bytes.append(bigEndian: UInt64(bitPattern: sequence))
            return bytes
        }
    }

    /// Returns `nil` for bytes that are not a position.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        switch reader.byte() {
        case 0:
            guard let kind = reader.byte().flatMap(ThingKind.init(rawValue:)), let name = reader.bytes(reader.remaining)
            else { return nil }
            self = .things(kind, after: [UInt8](name))
        case 1:
            guard let conversation: UInt64 = reader.bigEndian(), let time = reader.bigEndianTime(),
                let id = reader.bytes(reader.remaining), let text = String(validating: id, as: UTF8.self)
            else { return nil }
            self = .messages(
                after: MessagePlace(
                    conversation: Int64(bitPattern: conversation), timestamp: time, id: EntityID(trusted: text)))
        case 2:
            guard let id = reader.bytes(reader.remaining), let text = String(validating: id, as: UTF8.self) else {
                return nil
            }
            self = .removedMessages(after: text)
        case 3:
            guard let name = reader.bytes(reader.remaining) else { return nil }
            self = .removedFiles(before: [UInt8](name))
        case 4:
            guard let log: UInt64 = reader.bigEndian(), let sequence: UInt64 = reader.bigEndian() else { return nil }
            self = .logEntries(log: Int64(bitPattern: log), after: Int64(bitPattern: sequence))
        default:
            return nil
        }
        guard reader.isAtEnd else { return nil }
    }
}
