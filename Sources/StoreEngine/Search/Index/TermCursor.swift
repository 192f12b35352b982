import StoreBasics

/// Iterates over the list of one term, or of all terms that begin with given bytes, in many segments. Segments that
/// contain only older messages are opened later.
final class TermCursor {
    private let pattern: TermPattern
    private let index: SearchIndex
    private var opened: [OpenList] = []
    /// The segments that are not opened yet, ordered by their newest message, newest last.
    private var waiting: [SearchIndex.Segment]

    init(_ pattern: TermPattern, _ index: SearchIndex, _ segments: [SearchIndex.Segment]) {
        self.pattern = pattern
        self.index = index
        waiting = segments.sorted { $0.microseconds.upperBound < $1.microseconds.upperBound }
    }

    func newest(upTo place: PostingPlace) throws(StoreError) -> Posting? {
        var newest: Posting?
        for position in opened.indices {
            newest = try later(newest, position, place)
        }
        while let segment = waiting.last,
            newest.map({ $0.place.microseconds <= segment.microseconds.upperBound }) ?? true
        {
            waiting.removeLast()
            opened.append(try OpenList(pattern, index, segment, place))
            newest = try later(newest, opened.count - 1, place)
        }
        opened.removeAll(where: \.isAtEnd)
        return newest
    }

    private func later(_ newest: Posting?, _ position: Int, _ place: PostingPlace) throws(StoreError)
        -> Posting?
    {
        guard let posting = try opened[position].newest(upTo: place, index) else { return newest }
        return newest.map { max($0, posting) } ?? posting
    }
}

/// The list of a term in one segment, read block by block.
private struct OpenList {
    /// The most messages that are sorted for all terms with one beginning. If there are more, every message is
    /// proposed.
    private static let sortedMax = 2_048

    private let segment: Int64
    private let term: [UInt8]
    private var sequences: [Int64] = []
    private var position = 0
    /// The key of the current block; `nil` if no further block follows.
    private var key: [UInt8]?

    init(
        _ pattern: TermPattern, _ index: SearchIndex, _ segment: SearchIndex.Segment, _ place: PostingPlace
    ) throws(StoreError) {
        self.segment = segment.number
        if pattern.extent == .beginning {
            term = []
            let found = try index.sortedSequences(segment, beginningWith: pattern.bytes, countMax: Self.sortedMax)
            if let found {
                sequences = found
                return
            }
        } else {
            term = pattern.bytes
        }
        open(try index.part(self.segment, term, holding: place))
    }

    var isAtEnd: Bool { position == sequences.count && key == nil }

    private mutating func open(_ part: SearchIndex.ListPart?) {
        sequences = part?.sequences ?? []
        position = 0
        key = part.flatMap { $0.mayContinue ? $0.key : nil }
    }

    mutating func newest(upTo place: PostingPlace, _ index: SearchIndex) throws(StoreError) -> Posting? {
        while true {
            if let posting = try current(upTo: place, index.documents) {
                return posting
            }
            guard let key else { return nil }
            // Try the next block first, which usually contains the place.
            open(try index.part(segment, term, after: key))
            if let posting = try current(upTo: place, index.documents) {
                return posting
            }
            guard self.key != nil else { return nil }
            open(try index.part(segment, term, holding: place))
        }
    }

    /// Returns the first message of the block that is not newer than `place`.
    private mutating func current(upTo place: PostingPlace, _ documents: SearchDocuments) throws(StoreError) -> Posting?
    {
        guard position < sequences.count else { return nil }
        if let posting = try documents.posting(sequences[position], upTo: place) {
            return posting
        }
        try pass(place, documents)
        return position < sequences.count ? try documents.posting(sequences[position]) : nil
    }

    /// Skips messages that are newer than `place`, with doubling steps and then a binary search.
    private mutating func pass(_ place: PostingPlace, _ documents: SearchDocuments) throws(StoreError) {
        var step = 1
        // The message at `position` is newer; the message at `end`, if there is one, is not.
        var end = sequences.count
        while position + step < sequences.count {
            guard try documents.isNewer(sequences[position + step], than: place) else {
                end = position + step
                break
            }
            position += step
            step *= 2
        }
        while position + 1 < end {
            let middle = (position + end) / 2
            if try documents.isNewer(sequences[middle], than: place) {
                position = middle
            } else {
                end = middle
            }
        }
        position = end
    }
}
