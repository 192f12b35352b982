import StoreBasics

/// Moves lists from segments into another segment, term by term. Between two moves, each message is in the list of a
/// term exactly once: in its source segment or in the target.
struct SegmentMerging {
    private let index: SearchIndex
    private var sources: [Source] = []
    private var writer: PostingBlockWriter
    /// True if the time ranges of the segments do not overlap, so that their lists can be concatenated.
    private let isInOrder: Bool

    init(
        _ index: SearchIndex, _ segments: [SearchIndex.Segment], into target: Int64
    ) throws(StoreError) {
        self.index = index
        let newestFirst = segments.sorted { $0.microseconds.upperBound > $1.microseconds.upperBound }
        isInOrder = zip(newestFirst, newestFirst.dropFirst()).allSatisfy { newer, older in
            newer.microseconds.lowerBound > older.microseconds.upperBound
        }
        for segment in newestFirst {
            sources.append(try Source(index, segment.number))
        }
        writer = try PostingBlockWriter(index, target)
    }

    /// Moves the lists of the smallest term.
    ///
    /// - Returns: false if no list is left.
    mutating func moveTerm() throws(StoreError) -> Bool {
        var first: Source?
        for source in sources where source.isOpen && first.map({ source.precedes($0) }) ?? true {
            first = source
        }
        guard let first else { return false }
        var list = PostingList(term: first.term, sequences: [])
        let prefix = first.prefix
        for source in sources where source.isOpen && source.prefix == prefix {
            try source.appendSequences(&list)
        }
        if !isInOrder {
            try sort(&list)
        }
        try writer.append(list)
        return true
    }

    private func sort(_ list: inout PostingList) throws(StoreError) {
        var places: [PostingPlace] = []
        places.reserveCapacity(list.sequences.count)
        for sequence in list.sequences {
            places.append(try index.documents.posting(sequence).place)
        }
        list.sequences = places.sorted(by: >).map(\.sequence)
    }

    /// Replaces each partly moved block of the sources by its remaining lists, and writes the last block of the target.
    mutating func finish() throws(StoreError) {
        for source in sources {
            try source.finish()
        }
        try writer.finish()
    }

    /// A segment whose lists are removed from the front.
    private final class Source {
        private let index: SearchIndex
        private let segment: Int64
        /// The first block; a copy of its content is in `bytes`.
        private var name: SearchIndex.BlockName?
        private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: SearchIndex.blockBytesMax, alignment: 1)
        private var reader = PostingBlockReader(UnsafeRawBufferPointer(start: nil, count: 0))
        private var isChanged = false
        private(set) var prefix = TermPrefix([])

        init(_ index: SearchIndex, _ segment: Int64) throws(StoreError) {
            self.index = index
            self.segment = segment
            try open()
        }

        deinit {
            bytes.deallocate()
        }

        private func open() throws(StoreError) {
            isChanged = false
            name = try index.copyFirstBlock(segment, to: bytes) { count in
                reader = PostingBlockReader(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            guard name != nil else { return }
            guard try reader.next() else { throw .searchIndexDamaged }
            prefix = TermPrefix(reader.term)
        }

        /// True if a list is left.
        var isOpen: Bool { name != nil }

        var term: [UInt8] { reader.term }

        func precedes(_ other: Source) -> Bool {
            prefix == other.prefix ? term.lexicographicallyPrecedes(other.term) : prefix < other.prefix
        }

        func appendSequences(_ list: inout PostingList) throws(StoreError) {
            while let name, reader.term == list.term {
                list.sequences += try reader.sequences()
                isChanged = true
                guard try !reader.next() else {
                    prefix = TermPrefix(reader.term)
                    return
                }
                try index.delete(name)
                try open()
            }
        }

        func finish() throws(StoreError) {
            guard isChanged, let name else { return }
            try index.replace(name, by: reader.rest(), from: reader.term, reader.first)
        }
    }
}
