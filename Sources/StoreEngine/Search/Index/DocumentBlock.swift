import StoreBasics

/// The posting places and conversations of the messages with 128 consecutive sequences: one row of `search_documents`.
/// Each column is an array of its own, because a search mostly reads the times.
final class DocumentBlock {
    static let sequenceCount: Int64 = 128

    /// The first sequence of the block divided by `sequenceCount`.
    let number: Int64
    /// The sequences in ascending order. The other columns have the same order.
    private let sequences: [Int64]
    private let microseconds: [Int64]
    private let conversations: [Int64]
    private let ids: [PostingID]

    /// - Parameter postings: the messages of the block, in the order of their sequences.
    init(_ number: Int64, _ postings: [Posting]) {
        self.number = number
        sequences = postings.map(\.place.sequence)
        microseconds = postings.map(\.place.microseconds)
        conversations = postings.map(\.conversation)
        ids = postings.map(\.place.id)
    }

    static func number(of sequence: Int64) -> Int64 { sequence >> sequenceCount.trailingZeroBitCount }

    var count: Int { sequences.count }

    var postings: [Posting] { sequences.indices.map { posting(at: $0) } }

    /// Returns the index of a message; `nil` if the block does not contain it.
    func index(of sequence: Int64) -> Int? {
        // The index is the offset of the sequence, less the number of earlier messages that are missing.
        let offset = Int(sequence & (Self.sequenceCount - 1))
        var upper = min(offset, count)
        var lower = max(0, min(upper, offset - (Int(Self.sequenceCount) - count)))
        while lower < upper {
            let middle = (lower + upper) / 2
            if sequences[middle] < sequence {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        return lower < count && sequences[lower] == sequence ? lower : nil
    }

    func posting(at index: Int) -> Posting {
        Posting(place: place(at: index), conversation: conversations[index])
    }

    /// Returns true if the message at an index is newer than a place.
    func isNewer(_ index: Int, than place: PostingPlace) -> Bool {
        let time = microseconds[index]
        guard time == place.microseconds else { return time > place.microseconds }
        return self.place(at: index) > place
    }

    private func place(at index: Int) -> PostingPlace {
        PostingPlace(microseconds: microseconds[index], id: ids[index], sequence: sequences[index])
    }
}

/// The stored form: the differences between each message and the one before it, as LEB128 numbers and an id.
extension DocumentBlock {
    private static func firstSequence(of number: Int64) -> Int64 { number &* sequenceCount }

    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 20)
        var (sequence, time, conversation) = (Self.firstSequence(of: number), Int64(0), Int64(0))
        var coding = PostingIDCoding()
        for index in sequences.indices {
            bytes.append(leb128: UInt64(bitPattern: sequences[index] &- sequence))
            bytes.append(leb128: ZigZag.encode(microseconds[index] &- time))
            bytes.append(leb128: ZigZag.encode(conversations[index] &- conversation))
            coding.append(ids[index], to: &bytes)
            (sequence, time, conversation) = (sequences[index], microseconds[index], conversations[index])
        }
        return bytes
    }

    /// - Throws: `.searchIndexIncomplete` for bytes that `encoded` cannot have made.
    convenience init(_ number: Int64, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        var postings: [Posting] = []
        // A message takes at least five bytes: one for each of the three numbers and two for the id.
        postings.reserveCapacity(min(bytes.count / 5, Int(Self.sequenceCount)))
        var reader = ByteReader(bytes)
        var (sequence, microseconds, conversation) = (Self.firstSequence(of: number), Int64(0), Int64(0))
        var ids = PostingIDCoding()
        while !reader.isAtEnd {
            guard let later = reader.leb128(), let time = reader.leb128(), let difference = reader.leb128(),
                let id = ids.next(&reader)
            else { throw .searchIndexDamaged }
            sequence &+= Int64(bitPattern: later)
            microseconds &+= ZigZag.decode(time)
            conversation &+= ZigZag.decode(difference)
            guard postings.last.map({ $0.place.sequence < sequence }) ?? true else { throw .searchIndexDamaged }
            postings.append(
                Posting(
                    place: PostingPlace(microseconds: microseconds, id: id, sequence: sequence),
                    conversation: conversation))
        }
        guard !postings.isEmpty else { throw .searchIndexDamaged }
        self.init(number, postings)
    }
}
