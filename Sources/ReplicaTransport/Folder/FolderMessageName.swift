import StoreBasics

/// The name of the file of a message in a folder: `SEQUENCE.TAIL.sealed`. SEQUENCE is the message's number in its
/// channel, with 20 digits. TAIL is the last 16 bytes of the message, in hexadecimal digits. These bytes belong to a
/// signature or a tag. So two different messages never have the same name. A file is complete if its end matches its
/// name.
struct FolderMessageName: Hashable, Sendable {
    static let ending = ".sealed"
    let sequence: UInt64
    /// At most 16 bytes.
    let tail: [UInt8]

    init(sequence: UInt64, bytes: [UInt8]) {
        self.sequence = sequence
        tail = Array(bytes.suffix(MessageIdentity.tailBytes))
    }

    /// Parses a name; returns `nil` for the name of any other file.
    init?(_ text: String) {
        let parts = text.dropLast(Self.ending.count).split(separator: ".", omittingEmptySubsequences: false)
        guard text.hasSuffix(Self.ending), parts.count == 2,
            let sequence = FolderNumber.number(parts[0]), let tail = Hexadecimal.decode(parts[1]),
            tail.count == MessageIdentity.tailBytes, Hexadecimal.encode(tail) == parts[1]
        else { return nil }
        self.sequence = sequence
        self.tail = tail
    }

    var text: String { "\(FolderNumber.text(sequence)).\(Hexadecimal.encode(tail))\(Self.ending)" }

    /// The number that a folder uses as the stream sequence of a message. It orders the messages of a channel by their
    /// sequences, and messages of the same sequence by their tails.
    var place: UInt64 {
        sequence << 16 | tail.suffix(2).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension FolderMessageName: Comparable {
    static func < (left: FolderMessageName, right: FolderMessageName) -> Bool {
        if left.place != right.place { return left.place < right.place }
        return left.tail.lexicographicallyPrecedes(right.tail)
    }
}

/// Numbers in names of files: 20 digits, so that the names are in the order of the numbers.
enum FolderNumber {
    /// The greatest number in a name. `FolderMessageName.place` has no room for greater numbers.
    static let max: UInt64 = 1 << 47
    private static let digits = 20

    static func text(_ number: UInt64) -> String {
        let text = String(number)
        return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }

    /// Returns `nil` unless the text consists of 20 digits and the number is between 1 and `max`.
    static func number(_ text: some StringProtocol) -> UInt64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt64(text), (1...max).contains(number)
        else { return nil }
        return number
    }
}
