import StoreBasics

/// A message in the index: its place in the order of all messages, and its conversation.
struct Posting: Hashable, Sendable, Comparable {
    let place: PostingPlace
    let conversation: Int64

    init(place: PostingPlace, conversation: Int64) {
        self.place = place
        self.conversation = conversation
    }

    /// - Parameter row: a row that begins with conversation, timestamp, sequence and id of a message.
    init(_ row: borrowing Rows) throws(StoreError) {
        let id = PostingID(try row.borrowedText(3))
        place = PostingPlace(microseconds: row.integer(1), id: id, sequence: row.integer(2))
        conversation = row.integer(0)
    }

    var messagePlace: MessagePlace {
        MessagePlace(
            conversation: conversation, timestamp: Timestamp(microseconds: place.microseconds), id: place.id.entityID)
    }

    static func < (left: Posting, right: Posting) -> Bool { left.place < right.place }
}

/// A place in the order of posting lists: by time, then by id.
struct PostingPlace: Hashable, Sendable, Comparable {
    let microseconds: Int64
    let id: PostingID
    /// The number by which posting blocks refer to the message. A place that serves as a bound has a number that no
    /// message has.
    let sequence: Int64

    static let newest = PostingPlace(before: MessageCursor.end)

    init(microseconds: Int64, id: PostingID, sequence: Int64) {
        self.microseconds = microseconds
        self.id = id
        self.sequence = sequence
    }

    /// Creates the place directly before the cursor's message: between that message and all older ones.
    init(before cursor: MessageCursor) {
        self.init(microseconds: cursor.timestamp.microseconds, id: PostingID(cursor.id), sequence: .min)
    }

    static func < (left: PostingPlace, right: PostingPlace) -> Bool {
        guard left.microseconds == right.microseconds else { return left.microseconds < right.microseconds }
        guard left.id == right.id else { return left.id < right.id }
        return left.sequence < right.sequence
    }

    /// The place directly before this message: between this message and all older ones.
    var older: PostingPlace { PostingPlace(microseconds: microseconds, id: id, sequence: .min) }

    var cursor: MessageCursor {
        MessageCursor(timestamp: Timestamp(microseconds: microseconds), id: id.entityID)
    }
}

/// The key by which the postings of a segment are ordered: by term, then newest first. Keys are compared byte by byte,
/// which works because no term contains a zero byte.
enum PostingKey {
    static func bytes(_ term: [UInt8], _ place: PostingPlace) -> [UInt8] {
        var bytes = term
        bytes.reserveCapacity(term.count + 18 + UUIDWords.textByteCount)
        bytes.append(0)
        bytes.append(bigEndian: newestFirst(place.microseconds))
        // The greatest id comes first, so its bytes are complemented. No id contains a zero byte, so the final 255 is
        // greater than every complemented byte.
        place.id.entityID.text.utf8.forEach { bytes.append(~$0) }
        bytes.append(.max)
        bytes.append(bigEndian: newestFirst(place.sequence))
        return bytes
    }

    private static func newestFirst(_ number: Int64) -> UInt64 {
        ~(UInt64(bitPattern: number) ^ 1 << 63)
    }
}

/// An encoding of signed numbers in which numbers near zero become small unsigned numbers.
enum ZigZag {
    static func encode(_ number: Int64) -> UInt64 {
        UInt64(bitPattern: (number << 1) ^ (number >> 63))
    }

    static func decode(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}
