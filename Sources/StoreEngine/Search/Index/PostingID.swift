import StoreBasics

/// The id of a message in the index: a UUID as sixteen bytes, any other id as text. The order is the order of ids.
struct PostingID: Hashable, Sendable, Comparable {
    private let words: UUIDWords
    /// The text of an id that is not a lower-case UUID; `nil` for a lower-case UUID.
    private let text: String?

    /// - Parameter id: the id of a message, or a bound of ids.
    init(_ id: EntityID) {
        var text = id.text
        self = text.withUTF8 { PostingID(UnsafeRawBufferPointer($0)) }
    }

    /// - Parameter bytes: the id in UTF-8.
    init(_ bytes: UnsafeRawBufferPointer) {
        if let words = UUIDWords(lowercaseText: bytes) {
            (self.words, text) = (words, nil)
        } else {
            (words, text) = (UUIDWords(high: 0, low: 0), String(decoding: bytes, as: UTF8.self))
        }
    }

    init(uuid: UUIDWords) {
        (words, text) = (uuid, nil)
    }

    /// The UUID; `nil` for an id that is not a lower-case UUID.
    var uuid: UUIDWords? { text == nil ? words : nil }

    var entityID: EntityID { EntityID(trusted: text ?? words.description) }

    static func < (left: PostingID, right: PostingID) -> Bool {
        if left.text == nil, right.text == nil { return left.words < right.words }
        return left.entityID < right.entityID
    }

    static func == (left: PostingID, right: PostingID) -> Bool {
        if left.text == nil, right.text == nil { return left.words == right.words }
        return left.entityID == right.entityID
    }
}

/// The stored form of consecutive ids. Each begins with a byte: the number of leading bytes that a UUID shares with the
/// previous UUID, followed by its other bytes; or 128 for any other id, followed by its length and text.
struct PostingIDCoding {
    private static let otherID: UInt8 = 128
    private var last = UUIDWords(high: 0, low: 0)

    mutating func append(_ id: PostingID, to bytes: inout [UInt8]) {
        guard let words = id.uuid else {
            let text = id.entityID.text.utf8
            bytes.append(Self.otherID)
            bytes.append(variableLength: text.count)
            bytes.append(contentsOf: text)
            return
        }
        let shared = min(words.sharedByteCount(with: last), UUIDWords.byteCount - 1)
        bytes.append(UInt8(shared))
        for index in shared..<UUIDWords.byteCount {
            bytes.append(words[index])
        }
        last = words
    }

    /// Decodes the next id; returns `nil` if the bytes are invalid.
    mutating func next(_ reader: inout ByteReader) -> PostingID? {
        guard let first = reader.byte() else { return nil }
        guard first != Self.otherID else {
            guard let count = reader.variableLength(), 1...EntityID.bytesMax ~= count, let text = reader.bytes(count),
                text.isUTF8
            else { return nil }
            return PostingID(text)
        }
        let shared = Int(first)
        guard shared < UUIDWords.byteCount, let rest = reader.bytes(UUIDWords.byteCount - shared) else { return nil }
        last = last.replacingBytes(from: shared, by: rest)
        return PostingID(uuid: last)
    }
}
