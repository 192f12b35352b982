import ReplicaModel
import SQLCipher
import StoreBasics

/// How far a walk over all that the group's stores hold has come. What is told after something that it needs comes
/// behind it: messages behind conversations, reactions behind messages.
enum ReplicaWalk: Hashable, Sendable {
    /// Things of a kind, behind one.
    case things(ThingKind, after: [UInt8])
    case messages(after: MessagePlace)
    /// Those that were removed, by their ids.
    case removedMessages(after: String)
    /// Files and directories that are gone, what lies in one before itself: no directory goes that holds something.
    case removedFiles(before: [UInt8])
    /// Of the logs of devices, behind an entry of one.
    case logEntries(log: Int64, after: Int64)

    static let start = ReplicaWalk.things(.contact, after: [])

    /// Behind all that this part of the walk has; `nil`: it ends there.
    var nextPart: ReplicaWalk? {
        switch self {
        case .things(.contact, _): .things(.conversation, after: [])
        case .things(.conversation, _): .things(.draft, after: [])
        case .things(.draft, _): .things(.sceneValue, after: [])
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

    // MARK: At rest

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

    /// - Returns: `nil` for bytes that are no place.
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
