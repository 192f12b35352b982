import CSimulatedDisk
import StoreBasics
import StoreEngine

/// One operation that a client sends.
enum Work {
    case mutation(Mutation)
    /// A write of a file in parts.
    case fileWrite(FileWriteRequest, [UInt8])
    /// Contents that are written in parts, then the message to which they are attached.
    case attached([[UInt8]], NewMessage)
}

/// A model of one client: the works it does, and what the store must contain after them. A work depends only on its
/// random numbers and the works before it, so each life of the store (see `Life`) can compute the works of earlier
/// lives.
protocol Subject {
    /// The expected contents, under names that the subject chooses. A reader of the store must see the same.
    var contents: [String: String] { get }
    /// Bytes that were in a record of the journal, belong to removed content, and so must not be readable any more.
    var removedBytes: [Needle] { get }
    /// True if `read` sees a single state of the store, even while a client writes.
    var isReadAtOnce: Bool { get }
    /// Returns the next work.
    ///
    /// - Parameter number: the number of the work among the works of this client.
    mutating func next(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work
    /// Reads the contents of the store, in the same form as `contents`.
    func read(_ reader: StoreReader) throws(StoreError) -> [String: String]
}

/// Bytes that occur in one content only, to search for in files.
struct Needle {
    static let byteCount = Int(DISK_NEEDLE_BYTES)

    let bytes: [UInt8]

    /// Takes the first bytes of random content. Returns `nil` if the content is too short to be unique.
    init?(_ content: some Sequence<UInt8>) {
        bytes = Array(content.prefix(Self.byteCount))
        guard bytes.count == Self.byteCount else { return nil }
    }
}

/// Content that a reader returns in parts.
enum Pieces {
    /// Reads a whole content.
    ///
    /// - Parameter read: reads a part at an offset and returns the total number of bytes.
    static func read(
        _ read: (UInt64, PieceRoom) throws(StoreError) -> UInt64?
    ) throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var size: UInt64 = 1
        while bytes.count < size {
            var part: [UInt8] = []
            let found = try read(UInt64(bytes.count)) { (count, fill) throws(StoreError) in
                part = [UInt8](repeating: 0, count: count)
                let filled = try part.withUnsafeMutableBufferPointer { buffer throws(StoreError) in
                    try fill(UnsafeMutableRawBufferPointer(buffer))
                }
                part.removeLast(count - filled)
            }
            guard let found else { throw StoreError(.internal, "a content is none") }
            size = found
            guard !part.isEmpty || size == 0 else { throw StoreError(.internal, "a content ends before its end") }
            bytes += part
        }
        return bytes
    }
}

extension SplitMix {
    mutating func number(below bound: Int) -> Int {
        Int(truncatingIfNeeded: next() % UInt64(max(bound, 1)))
    }

    /// Returns true once in `count` times on average.
    mutating func isOne(of count: Int) -> Bool {
        number(below: count) == 0
    }

    mutating func element<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(below: elements.count)]
    }

    /// Returns a text that occurs only once.
    mutating func text(bytesMax: Int) -> String {
        "text \(next()) " + String(repeating: "and more ", count: number(below: bytesMax / 9))
    }
}
