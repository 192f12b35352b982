import CSimulatedDisk
import StoreBasics
import StoreEngine

/// Something that a client does.
enum Work {
    case mutation(Mutation)
    /// A write of a file in pieces.
    case fileWrite(FileWriteRequest, [UInt8])
    /// Contents that are written in pieces, then the message that they are attached to.
    case attached([[UInt8]], NewMessage)
}

/// What one client does, one work after the other, and what the store holds of it then. Its works depend on nothing but
/// their random numbers and those before, so that every life can tell what the lives before it did.
protocol Subject {
    /// What a reader sees, by names of the subject's own.
    var contents: [String: String] { get }
    /// What tells of content that nothing holds any more, and that was in a record of the journal.
    var removedBytes: [Needle] { get }
    /// `read` shows one moment, whatever is written meanwhile.
    var isReadAtOnce: Bool { get }
    /// - Parameter number: of the work among those of this client.
    mutating func next(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work
    /// The same as `contents`, as the store has it.
    func read(_ reader: StoreReader) throws(StoreError) -> [String: String]
}

/// Bytes that are in no other content.
struct Needle {
    static let byteCount = Int(DISK_NEEDLE_BYTES)

    let bytes: [UInt8]

    /// - Parameter content: random bytes; `nil` where they are too few to be told from others.
    init?(_ content: some Sequence<UInt8>) {
        bytes = Array(content.prefix(Self.byteCount))
        guard bytes.count == Self.byteCount else { return nil }
    }
}

/// What a reader gives piece by piece.
enum Pieces {
    /// - Parameter read: from an offset on; tells how many bytes there are in all.
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

    /// True once in so many times.
    mutating func isOne(of count: Int) -> Bool {
        number(below: count) == 0
    }

    mutating func element<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(below: elements.count)]
    }

    /// Letters, of which none is another's.
    mutating func text(bytesMax: Int) -> String {
        "text \(next()) " + String(repeating: "and more ", count: number(below: bytesMax / 9))
    }
}
