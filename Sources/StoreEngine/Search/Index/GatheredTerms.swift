/// The terms of many messages in one piece of memory, in the order of a segment's lists: no array or set is made for
/// each term of each message.
struct GatheredTerms {
    private struct Entry {
        let prefix: TermPrefix
        let start: Int
        let count: Int
        /// The number of its message.
        let message: Int
    }

    /// How many terms a text has whose terms are told apart before they are put in order.
    private static let longTermCount = 256

    private let sequences: [Int64]
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    /// - Parameter messages: newest first.
    init(of messages: [IndexedMessage]) {
        sequences = messages.map(\.posting.place.sequence)
        for (number, message) in messages.enumerated() {
            // Most words of a long text are in it many times, and to put all of them in order takes long.
            var met = message.list.count < Self.longTermCount ? nil : MetTerms()
            message.list.forEachIndexTerm { term in
                guard met?.insert(term) ?? true else { return }
                entries.append(
                    Entry(prefix: TermPrefix(term), start: bytes.count, count: term.count, message: number))
                bytes += term
            }
        }
        bytes.withUnsafeBytes { bytes in
            entries.sort { left, right in
                guard left.prefix == right.prefix else { return left.prefix < right.prefix }
                let order = Self.compare(left, right, bytes)
                return order == 0 ? left.message < right.message : order < 0
            }
        }
    }

    /// Below 0 where the left one comes first, 0 where they are the same term. Their first bytes are the same.
    private static func compare(_ left: Entry, _ right: Entry, _ bytes: UnsafeRawBufferPointer) -> Int {
        let count = min(left.count, right.count)
        var offset = min(TermPrefix.byteCount, count)
        while offset < count {
            let (one, other) = (bytes[left.start + offset], bytes[right.start + offset])
            guard one == other else { return one < other ? -1 : 1 }
            offset += 1
        }
        return left.count - right.count
    }

    /// Gives each term's list, in the order of terms.
    func forEachList(_ body: (PostingList) throws(StoreError) -> Void) throws(StoreError) {
        var index = 0
        while index < entries.count {
            let first = entries[index]
            var list = PostingList(term: Array(bytes[first.start..<(first.start + first.count)]), sequences: [])
            var last = -1
            while index < entries.count, isSameTerm(entries[index], first) {
                // A message may hold it more than once.
                if entries[index].message != last {
                    last = entries[index].message
                    list.sequences.append(sequences[last])
                }
                index += 1
            }
            try body(list)
        }
    }

    private func isSameTerm(_ one: Entry, _ other: Entry) -> Bool {
        guard one.prefix == other.prefix, one.count == other.count else { return false }
        return bytes.withUnsafeBytes { Self.compare(one, other, $0) } == 0
    }
}
