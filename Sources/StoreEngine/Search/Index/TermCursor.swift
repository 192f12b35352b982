import StoreBasics

/// Goes through one term's list, or those of all terms with a beginning, in many segments: those whose messages are all
/// older are not looked at yet.
final class TermCursor {
    private let pattern: TermPattern
    private let index: SearchIndex
    private var opened: [OpenList] = []
    /// By their newest message, newest last.
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

/// A list in one segment, from one block to the next.
private struct OpenList {
    /// Messages of a beginning that are put in order; where there are more, every message is proposed.
    private static let sortedMax = 2_048

    private let segment: Int64
    private let term: [UInt8]
    private var sequences: [Int64] = []
    private var position = 0
    /// The block's; `nil` where there is no other to come.
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
        key = part.flatMap { $0.goesOn ? $0.key : nil }
    }

    mutating func newest(upTo place: PostingPlace, _ index: SearchIndex) throws(StoreError) -> Posting? {
        while true {
            if let posting = try current(upTo: place, index.documents) {
                return posting
            }
            guard let key else { return nil }
            // Mostly the next one.
            open(try index.part(segment, term, after: key))
            if let posting = try current(upTo: place, index.documents) {
                return posting
            }
            guard self.key != nil else { return nil }
            open(try index.part(segment, term, holding: place))
        }
    }

    /// Passes what is newer: in steps that double, then halved.
    private mutating func current(upTo place: PostingPlace, _ documents: SearchDocuments) throws(StoreError) -> Posting?
    {
        guard position < sequences.count else { return nil }
        if let posting = try documents.posting(sequences[position], upTo: place) {
            return posting
        }
        try pass(place, documents)
        return position < sequences.count ? try documents.posting(sequences[position]) : nil
    }

    /// Goes on from a message that is newer to the first that is not.
    private mutating func pass(_ place: PostingPlace, _ documents: SearchDocuments) throws(StoreError) {
        var step = 1
        // What is at `position` is newer; what is at `end`, if there is something, is not.
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
