import FoundationEssentials
import Glibc

/// The file operations that Tests/FaultLibrary/writes.c has recorded.
struct WriteRecord {
    /// One change of a file or a folder. Paths are absolute.
    enum Event {
        case opened(Int32, path: String, creates: Bool, truncates: Bool)
        case closed(Int32)
        /// The bytes that were written, as a range of the record.
        case written(Int32, offset: Int, Range<Int>)
        case resized(Int32, size: Int)
        /// The file or folder of this descriptor was synced: its changes before a position of the record are durable.
        case synced(Int32, before: Int)
        case renamed(String, to: String)
        case linked(String, to: String)
        case removed(String)
        case madeFolder(String)
        case zeroed(Int32, offset: Int, count: Int)
        case grown(Int32, offset: Int, count: Int)
    }

    struct Entry {
        let event: Event
        /// The position in the record at which the entry ends. The event has happened once the record is this long.
        let end: Int
    }

    private struct Unreadable: Error {
        let position: Int
    }

    private static let headerBytes = 40

    let bytes: [UInt8]
    private(set) var entries: [Entry] = []

    /// Creates a record of consecutive events, each one byte long.
    init(_ events: [Event], writing bytes: [UInt8]) {
        self.bytes = bytes
        entries = events.enumerated().map { Entry(event: $1, end: $0 + 1) }
    }

    /// - Throws: an error for bytes that the library does not write. An incomplete entry at the end, as a kill may
    ///   leave it, is ignored.
    init(_ path: String) throws {
        bytes = FileManager.default.contents(atPath: path).map { Array($0) } ?? []
        var position = 0
        while let (event, end) = try event(at: position) {
            entries.append(Entry(event: event, end: end))
            position = end
        }
    }

    /// Returns the current length of the record at `path`.
    static func length(_ path: String) -> Int {
        StateFiles.size(path)
    }

    private func event(at position: Int) throws -> (Event, end: Int)? {
        guard position + Self.headerBytes <= bytes.count else { return nil }
        func number<Number: FixedWidthInteger>(at offset: Int, _: Number.Type) -> Int {
            Int(bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position + offset, as: Number.self) })
        }
        let descriptor = Int32(number(at: 4, Int32.self))
        let (first, second) = (number(at: 8, Int64.self), number(at: 16, Int64.self))
        let paths = position + Self.headerBytes
        let otherPath = paths + number(at: 24, UInt32.self)
        let data = otherPath + number(at: 28, UInt32.self)
        let end = data + number(at: 32, Int64.self)
        guard end <= bytes.count else { return nil }
        let path = String(decoding: bytes[paths..<otherPath], as: UTF8.self)
        let other = String(decoding: bytes[otherPath..<data], as: UTF8.self)
        let event: Event? =
            switch number(at: 0, UInt32.self) {
            case 1: .opened(descriptor, path: path, creates: first != 0, truncates: second != 0)
            case 2: .closed(descriptor)
            case 3: .written(descriptor, offset: first, data..<end)
            case 4: .resized(descriptor, size: first)
            case 5: .synced(descriptor, before: first)
            case 6: .renamed(path, to: other)
            case 7: .linked(path, to: other)
            case 8: .removed(path)
            case 9: .madeFolder(path)
            case 10: .zeroed(descriptor, offset: first, count: second)
            case 11: .grown(descriptor, offset: first, count: second)
            default: nil
            }
        guard let event else { throw Unreadable(position: position) }
        return (event, end)
    }
}
