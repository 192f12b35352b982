import StoreBasics

/// A message in the index: its place among all messages, in the order of lists, and its conversation.
struct Posting: Hashable, Sendable, Comparable {
    let place: PostingPlace
    let conversation: Int64

    init(place: PostingPlace, conversation: Int64) {
        self.place = place
        self.conversation = conversation
    }

    /// - Parameter row: A row that begins with conversation, timestamp, sequence and id of a message.
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

/// A place in the order of lists: by time, and among messages of one time by id.
struct PostingPlace: Hashable, Sendable, Comparable {
    let microseconds: Int64
    let id: PostingID
    /// The number by which blocks name the message. Bounds have a number that no message has.
    let sequence: Int64

    static let newest = PostingPlace(before: MessageCursor.end)

    init(microseconds: Int64, id: PostingID, sequence: Int64) {
        self.microseconds = microseconds
        self.id = id
        self.sequence = sequence
    }

    /// The bound that is older than a cursor's message, and newer than all that are older than it.
    init(before cursor: MessageCursor) {
        self.init(microseconds: cursor.timestamp.microseconds, id: PostingID(cursor.id), sequence: .min)
    }

    static func < (left: PostingPlace, right: PostingPlace) -> Bool {
        guard left.microseconds == right.microseconds else { return left.microseconds < right.microseconds }
        guard left.id == right.id else { return left.id < right.id }
        return left.sequence < right.sequence
    }

    /// The place of a message as a bound for older ones.
    var older: PostingPlace { PostingPlace(microseconds: microseconds, id: id, sequence: .min) }

    var cursor: MessageCursor {
        MessageCursor(timestamp: Timestamp(microseconds: microseconds), id: id.entityID)
    }
}

/// Where a posting of a term stands among all of a segment: by term, and then newest first. Keys are compared byte by
/// byte, as no term holds a zero.
enum PostingKey {
    static func bytes(_ term: [UInt8], _ place: PostingPlace) -> [UInt8] {
        var bytes = term
        bytes.reserveCapacity(term.count + 18 + UUIDWords.textByteCount)
        bytes.append(0)
        bytes.append(bigEndian: newestFirst(place.microseconds))
        // The greatest id first. No id holds a zero byte, so the byte after a complement is greater than all bytes in
        // it.
        place.id.entityID.text.utf8.forEach { bytes.append(~$0) }
        bytes.append(.max)
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
