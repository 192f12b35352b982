/// The terms of many messages in one buffer, in the order of a segment's lists. It avoids an allocation for each term
/// of each message.
struct GatheredTerms {
    private struct Entry {
        let prefix: TermPrefix
        let start: Int
        let count: Int
        /// The index of the message in `sequences`.
        let message: Int
    }

    /// The number of terms at which a text counts as long. Duplicate terms of a long text are removed before sorting.
    private static let longTermCount = 256

    private let sequences: [Int64]
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    /// - Parameter messages: newest first.
    init(of messages: [IndexedMessage]) {
        sequences = messages.map(\.posting.place.sequence)
        for (number, message) in messages.enumerated() {
            // A long text contains most of its words many times, and sorting all of them takes long.
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

    /// Compares two terms with equal prefixes. Returns a negative number if `left` comes first, and 0 if the terms are
    /// equal.
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

    /// Calls `body` with the list of each term, in the order of the terms.
    func forEachList(_ body: (PostingList) throws(StoreError) -> Void) throws(StoreError) {
        var index = 0
        while index < entries.count {
            let first = entries[index]
            var list = PostingList(term: Array(bytes[first.start..<(first.start + first.count)]), sequences: [])
            var last = -1
            while index < entries.count, isSameTerm(entries[index], first) {
                // A message may contain the term more than once.
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
