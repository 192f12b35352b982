import SQLCipher
import StoreBasics

/// For each emoji, the number of reactions to a message with this emoji, in the order of each emoji's first reaction.
/// The message's row contains the counts in encoded form: for each emoji, the length of its UTF-8, the UTF-8, and the
/// count. Numbers are LEB128.
struct ReactionCounts: Equatable {
    struct Entry: Equatable {
        var emoji: Emoji
        var count: Int
    }

    private(set) var entries: [Entry] = []

    init() {}

    /// - Throws: `.databaseDamaged` for bytes that are not encoded counts.
    init(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        for counted in try BorrowedReactions(bytes) {
            entries.append(
                Entry(emoji: Emoji(trusted: String(decoding: counted.emoji, as: UTF8.self)), count: counted.count))
        }
    }

    /// The encoded counts; `nil` without reactions.
    var bytes: [UInt8]? {
        guard !entries.isEmpty else { return nil }
        var bytes: [UInt8] = []
        for entry in entries {
            bytes.append(text: entry.emoji.text)
            bytes.append(variableLength: entry.count)
        }
        return bytes
    }

    func has(_ emoji: Emoji) -> Bool { entries.contains { $0.emoji == emoji } }

    /// Counts one more reaction.
    ///
    /// - Throws: `.tooManyReactions`.
    mutating func add(_ emoji: Emoji) throws(StoreError) {
        guard entries.reduce(0, { $0 + $1.count }) < EngineLimits.messageReactionsMax else {
            throw StoreError(
                .tooManyReactions,
                "the message already has the maximum of \(EngineLimits.messageReactionsMax) reactions")
        }
        if let index = entries.firstIndex(where: { $0.emoji == emoji }) {
            entries[index].count += 1
            return
        }
        guard entries.count < EngineLimits.messageEmojiMax else {
            throw StoreError(
                .tooManyReactions,
                "the message already has the maximum of \(EngineLimits.messageEmojiMax) different emoji in its "
                    + "reactions; use one of these emoji"
            )
        }
        entries.append(Entry(emoji: emoji, count: 1))
    }

    /// Counts one reaction less.
    ///
    /// - Throws: `.databaseDamaged` if no reaction with the emoji was counted.
    mutating func remove(_ emoji: Emoji) throws(StoreError) {
        guard let index = entries.firstIndex(where: { $0.emoji == emoji }) else {
            throw .databaseDamaged("a message's counts of reactions lack one of its reactions")
        }
        entries[index].count -= 1
        if entries[index].count == 0 {
            entries.remove(at: index)
        }
    }
}

/// The counts of reactions in SQLite's memory. The counts must not be used after the call that passes them, because
/// their bytes are not copied.
package struct BorrowedReactions: Sequence, BitwiseCopyable {
    package struct Counted {
        /// The UTF-8 of the emoji.
        package var emoji: UnsafeRawBufferPointer
        package var count: Int
    }

    package struct Iterator: IteratorProtocol {
        fileprivate var reader: ByteReader

        package mutating func next() -> Counted? {
            guard let length = reader.variableLength(), let emoji = reader.bytes(length),
                let count = reader.variableLength()
            else { return nil }
            return Counted(emoji: emoji, count: count)
        }
    }

    private let bytes: UnsafeRawBufferPointer

    package var byteCount: Int { bytes.count }

    /// - Throws: `.databaseDamaged` for bytes that are not counts of reactions.
    init(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        self.bytes = bytes
        var entries = makeIterator()
        var number = 0
        while !entries.reader.isAtEnd {
            number += 1
            guard number <= EngineLimits.messageEmojiMax, let entry = entries.next(),
                (1...Emoji.bytesMax).contains(entry.emoji.count),
                (1...EngineLimits.messageReactionsMax).contains(entry.count),
                entry.emoji.isUTF8
            else { throw .databaseDamaged("a message has invalid counts of reactions") }
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(reader: ByteReader(bytes))
    }
}
