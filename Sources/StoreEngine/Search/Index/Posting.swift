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

/// Where a posting of a term stands among all of a segment: by term, and then newest first. Keys are compared byte by
/// byte, as no term holds a zero.
enum PostingKey {
    static func bytes(_ term: [UInt8], _ place: PostingPlace) -> [UInt8] {
        var bytes = term
        bytes.reserveCapacity(term.count + 17)
        bytes.append(0)
        bytes.append(bigEndian: newestFirst(place.microseconds))
        bytes.append(bigEndian: newestFirst(place.sequence))
        return bytes
    }

    private static func newestFirst(_ number: Int64) -> UInt64 {
        ~(UInt64(bitPattern: number) ^ 1 << 63)
    }
}

/// Small for numbers near zero.
enum ZigZag {
    static func encode(_ number: Int64) -> UInt64 {
        UInt64(bitPattern: (number << 1) ^ (number >> 63))
    }

    static func decode(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}
