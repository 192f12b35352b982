import StoreBasics

/// The messages that contain a term, by their sequences, newest message first.
struct PostingList: Hashable {
    let term: [UInt8]
    var sequences: [Int64]
}

/// The encoding of the posting lists of consecutive terms. Each list consists of the term (the number of bytes shared
/// with the previous term, and the other bytes) and the sequences. Each sequence is stored as the difference to the
/// previous one, the first of a list as the difference to the first of the previous list. The first and the last list
/// of a block may continue in the neighbouring blocks.
enum PostingBlock {
    /// The number of bytes at which a block is complete, so that its row fits one page of the table.
    static let bytesMax = 1_900

    /// - Throws: `.searchIndexIncomplete` if the bytes are not a valid block.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> [PostingList] {
        var reader = PostingBlockReader(bytes)
        var lists: [PostingList] = []
        while try reader.next() {
            lists.append(PostingList(term: reader.term, sequences: try reader.sequences()))
        }
        guard !lists.isEmpty else { throw .searchIndexDamaged }
        return lists
    }

    static func encode(_ lists: [PostingList]) -> [UInt8] {
        var builder = PostingBlockBuilder()
        for list in lists {
            builder.begin(list.term)
            list.sequences.forEach { builder.append($0) }
        }
        return builder.finish()
    }
}

/// Iterates over the lists of a block. It must not outlive the block's bytes.
struct PostingBlockReader {
    private(set) var term: [UInt8] = []
    /// The first sequence of the list.
    private(set) var first: Int64 = 0
    private var block: ByteReader
    private var list = ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
    private var isAtFirst = true

    init(_ bytes: UnsafeRawBufferPointer) {
        block = ByteReader(bytes)
    }

    var isAtEnd: Bool { block.isAtEnd }

    /// Advances to the next list.
    ///
    /// - Returns: false at the end.
    mutating func next() throws(StoreError) -> Bool {
        guard !block.isAtEnd else { return false }
        let (shared, rest) = try passTerm(behind: term.count)
        guard isAtFirst || isLater(rest, behind: shared) else { throw .searchIndexDamaged }
        isAtFirst = false
        term.removeSubrange(shared...)
        term.append(contentsOf: rest)
        return true
    }

    /// Advances to the first list whose term is not less than `target`. Skipped terms are not decoded: the number of
    /// bytes that a term shares with the previous one shows whether the term can be the result.
    ///
    /// - Precondition: no list was read yet.
    /// - Returns: false if all terms are less than `target`.
    mutating func seek(_ target: [UInt8]) throws(StoreError) -> Bool {
        var termCount = 0
        // The number of bytes that the previous term has in common with the target. The previous term is less than the
        // target.
        var common = 0
        isAtFirst = false
        while !block.isAtEnd {
            let (shared, rest) = try passTerm(behind: termCount)
            if shared <= common, !Self.isBefore(target, shared, rest, &common) {
                term = Array(target[..<shared])
                term.append(contentsOf: rest)
                return true
            }
            termCount = shared + rest.count
        }
        return false
    }

    /// Returns true if a term is less than the target. The term consists of the target's first `shared` bytes and
    /// `rest`. The previous term is less than the target and has `common` bytes in common with it.
    private static func isBefore(
        _ target: [UInt8], _ shared: Int, _ rest: UnsafeRawBufferPointer, _ common: inout Int
    ) -> Bool {
        guard shared == common else { return false }
        var index = 0
        while index < rest.count, common < target.count, rest[index] == target[common] {
            index += 1
            common += 1
        }
        guard common < target.count else { return false }
        return index == rest.count || rest[index] < target[common]
    }

    /// Reads the next term and the beginning of its list.
    ///
    /// - Returns: the number of bytes that the term shares with the previous one, and its other bytes.
    @inline(__always)
    private mutating func passTerm(
        behind termCount: Int
    ) throws(StoreError) -> (shared: Int, rest: UnsafeRawBufferPointer) {
        guard let shared = block.variableLength(), shared <= termCount, let count = block.variableLength(),
            count <= SearchLimits.termBytesMax - shared, let rest = block.bytes(count),
            let listCount = block.variableLength(), let list = block.bytes(listCount)
        else { throw .searchIndexDamaged }
        self.list = ByteReader(list)
        guard let difference = self.list.leb128() else { throw .searchIndexDamaged }
        first = first &- ZigZag.decode(difference)
        return (shared, rest)
    }

    private func isLater(_ rest: UnsafeRawBufferPointer, behind shared: Int) -> Bool {
        guard let byte = rest.first else { return false }
        return shared == term.count || term[shared] < byte
    }

    /// Returns the current list and the following ones, encoded as a block of their own.
    func rest() -> [UInt8] {
        var (block, list) = (block, list)
        var start: [UInt8] = []
        start.append(leb128: ZigZag.encode(0 &- first))
        var bytes: [UInt8] = []
        bytes.append(variableLength: 0)
        bytes.append(variableLength: term.count)
        bytes.append(contentsOf: term)
        bytes.append(variableLength: start.count + list.remaining)
        bytes.append(contentsOf: start)
        for part in [list.bytes(list.remaining), block.bytes(block.remaining)] {
            bytes.append(contentsOf: part ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return bytes
    }

    /// Returns the sequences of the current list, without advancing to the next list.
    func sequences() throws(StoreError) -> [Int64] {
        var list = list
        var isDamaged = false
        let sequences = [Int64](unsafeUninitializedCapacity: 1 + list.remaining) { sequences, count in
            var last = first
            sequences[0] = last
            count = 1
            while !list.isAtEnd {
                guard let difference = list.leb128() else {
                    isDamaged = true
                    return
                }
                last = last &- ZigZag.decode(difference)
                sequences[count] = last
                count += 1
            }
        }
        guard !isDamaged else { throw .searchIndexDamaged }
        return sequences
    }
}

/// Encodes a block. Lists must be added in ascending order of their terms.
struct PostingBlockBuilder {
    private var bytes: [UInt8] = []
    private var list: [UInt8] = []
    private var term: [UInt8] = []
    private var previousTerm: [UInt8] = []
    private var first: Int64 = 0
    private var last: Int64 = 0

    var isEmpty: Bool { bytes.isEmpty && list.isEmpty }

    /// An upper bound for the size of the block.
    var byteCount: Int { bytes.count + list.count + term.count + 8 }

    /// Begins the list of a term.
    ///
    /// - Parameter term: greater than the previous list's term.
    mutating func begin(_ term: [UInt8]) {
        close()
        self.term = term
        last = first
    }

    mutating func append(_ sequence: Int64) {
        let isFirst = list.isEmpty
        list.append(leb128: ZigZag.encode(last &- sequence))
        last = sequence
        if isFirst {
            first = sequence
        }
    }

    mutating func finish() -> [UInt8] {
        close()
        defer { self = PostingBlockBuilder() }
        return bytes
    }

    private mutating func close() {
        guard !list.isEmpty else { return }
        var shared = 0
        while shared < min(term.count, previousTerm.count), term[shared] == previousTerm[shared] {
            shared += 1
        }
        bytes.append(variableLength: shared)
        bytes.append(variableLength: term.count - shared)
        bytes.append(contentsOf: term[shared...])
        bytes.append(variableLength: list.count)
        bytes.append(contentsOf: list)
        list.removeAll(keepingCapacity: true)
        previousTerm = term
    }
}
