import StoreBasics

/// A message in the index: its place among all messages, in the order of lists, and its conversation.
struct Posting: Hashable, Sendable, Comparable {
    let place: PostingPlace
    let conversation: Int64

    static func < (left: Posting, right: Posting) -> Bool { left.place < right.place }
}

/// A time and, among messages of the same time, the order in which they were saved.
struct PostingPlace: Hashable, Sendable, Comparable {
    let microseconds: Int64
    let sequence: Int64

    static let newest = PostingPlace(microseconds: .max, sequence: .max)

    static func < (left: PostingPlace, right: PostingPlace) -> Bool {
        (left.microseconds, left.sequence) < (right.microseconds, right.sequence)
    }

    /// The place that comes next among older ones; `nil` where there is none.
    var older: PostingPlace? {
        if sequence > .min {
            return PostingPlace(microseconds: microseconds, sequence: sequence - 1)
        }
        return microseconds > .min ? PostingPlace(microseconds: microseconds - 1, sequence: .max) : nil
    }
}

/// Postings as bytes, newest first: of each what it differs from the one before it in, as LEB128 numbers.
enum PostingBlock {
    /// About a KiB, so that a block lies in one page and is quickly made anew.
    static let countMax = 128

    static func encode(_ postings: some Collection<Posting>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(postings.count * 9)
        var last = Posting(place: PostingPlace(microseconds: 0, sequence: 0), conversation: 0)
        for posting in postings {
            bytes.append(leb128: signed(last.place.microseconds &- posting.place.microseconds))
            bytes.append(leb128: signed(last.place.sequence &- posting.place.sequence))
            bytes.append(leb128: signed(last.conversation &- posting.conversation))
            last = posting
        }
        return bytes
    }

    /// - Throws: `.searchIndexIncomplete` for bytes that `encode` cannot have made.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> [Posting] {
        var postings: [Posting] = []
        var reader = ByteReader(bytes)
        var last = Posting(place: PostingPlace(microseconds: 0, sequence: 0), conversation: 0)
        while !reader.isAtEnd {
            guard let time = number(&reader), let sequence = number(&reader), let conversation = number(&reader) else {
                throw damaged
            }
            let place = PostingPlace(
                microseconds: last.place.microseconds &- time, sequence: last.place.sequence &- sequence)
            guard postings.isEmpty || place < last.place else { throw damaged }
            last = Posting(place: place, conversation: last.conversation &- conversation)
            postings.append(last)
        }
        guard !postings.isEmpty else { throw damaged }
        return postings
    }

    /// Small for numbers near zero.
    private static func signed(_ number: Int64) -> UInt64 {
        UInt64(bitPattern: (number << 1) ^ (number >> 63))
    }

    private static func number(_ reader: inout ByteReader) -> Int64? {
        reader.leb128().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    private static var damaged: StoreError { .searchIndexDamaged }
}
