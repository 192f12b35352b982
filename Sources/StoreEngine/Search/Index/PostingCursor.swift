import SQLCipher
import StoreBasics

/// Goes through what an index has for an expression, newest first. It proposes every message that holds what is
/// searched for and some that do not: their texts tell. So it may propose anything newer than what it has not come to
/// when its time is over.
enum PostingCursor {
    case term(TermCursor)
    case all([PostingCursor])
    case any([PostingCursor])

    /// - Parameter isOver: whether beginnings of terms are not looked up any more: every message is proposed then.
    init(
        _ expression: SearchExpression, _ index: SearchIndex, isOver: () -> Bool = { false }
    ) throws(StoreError) {
        try self.init(expression, index, try index.segments(), isOver)
    }

    private init(
        _ expression: SearchExpression, _ index: SearchIndex, _ segments: [SearchIndex.Segment],
        _ isOver: () -> Bool
    ) throws(StoreError) {
        switch expression {
        case .phrase(let phrase):
            var cursors: [PostingCursor] = []
            for position in 0..<phrase.count {
                cursors.append(try Self.pattern(phrase[position], index, segments, isOver))
            }
            self = .all(cursors)
        case .all(let first, let others, except: _):
            self = .all(try Self.cursors([first] + others, index, segments, isOver))
        case .any(let first, let others):
            self = .any(try Self.cursors([first] + others, index, segments, isOver))
        }
    }

    private static func cursors(
        _ expressions: [SearchExpression], _ index: SearchIndex, _ segments: [SearchIndex.Segment],
        _ isOver: () -> Bool
    ) throws(StoreError) -> [PostingCursor] {
        var cursors: [PostingCursor] = []
        for expression in expressions {
            cursors.append(try PostingCursor(expression, index, segments, isOver))
        }
        return cursors
    }

    /// Where more terms have a beginning than can be followed at once, every message is proposed.
    private static func pattern(
        _ pattern: TermPattern, _ index: SearchIndex, _ segments: [SearchIndex.Segment], _ isOver: () -> Bool
    ) throws(StoreError) -> PostingCursor {
        guard pattern.extent == .beginning else { return .term(TermCursor(pattern.bytes, index, segments)) }
        guard let terms = try index.terms(beginningWith: pattern.bytes, in: segments, isOver) else {
            return .term(TermCursor([], index, segments))
        }
        return .any(terms.map { .term(TermCursor($0, index, segments)) })
    }

    /// The newest message at a place or before it. Places must not become newer from one call to the next.
    ///
    /// - Parameter isOver: whether to propose what it has come to.
    func newest(upTo place: PostingPlace, isOver: () -> Bool = { false }) throws(StoreError) -> Posting? {
        switch self {
        case .term(let cursor):
            return try cursor.newest(upTo: place)
        case .all(let cursors):
            return try Self.newestOfAll(cursors, upTo: place, isOver)
        case .any(let cursors):
            var newest: Posting?
            for cursor in cursors {
                guard let posting = try cursor.newest(upTo: place, isOver: isOver) else { continue }
                newest = max(newest ?? posting, posting)
            }
            return newest
        }
    }

    private static func newestOfAll(
        _ cursors: [PostingCursor], upTo place: PostingPlace, _ isOver: () -> Bool
    ) throws(StoreError) -> Posting? {
        var place = place
        var agreeing = 0
        var index = 0
        while true {
            guard let posting = try cursors[index].newest(upTo: place, isOver: isOver) else { return nil }
            agreeing = posting.place == place ? agreeing + 1 : 1
            guard agreeing < cursors.count, !isOver() else { return posting }
            place = posting.place
            index = (index + 1) % cursors.count
        }
    }
}

/// Goes through one term's list, which lies in many segments: those whose messages are all older are not looked at yet.
final class TermCursor {
    private let term: [UInt8]
    private let index: SearchIndex
    private var opened: [OpenSegment] = []
    /// By their newest message, newest last.
    private var waiting: [SearchIndex.Segment]

    fileprivate struct OpenSegment {
        let number: Int64
        var block: SearchIndex.Block?
        var position = 0
        var isAtEnd = false
    }

    init(_ term: [UInt8], _ index: SearchIndex, _ segments: [SearchIndex.Segment]) {
        self.term = term
        self.index = index
        waiting = segments.sorted { $0.newestMicroseconds < $1.newestMicroseconds }
    }

    func newest(upTo place: PostingPlace) throws(StoreError) -> Posting? {
        var newest: Posting?
        for position in opened.indices {
            newest = try later(newest, position, place)
        }
        while let segment = waiting.last, newest.map({ $0.place.microseconds <= segment.newestMicroseconds }) ?? true {
            waiting.removeLast()
            opened.append(OpenSegment(number: segment.number))
            newest = try later(newest, opened.count - 1, place)
        }
        opened.removeAll(where: \.isAtEnd)
        return newest
    }

    private func later(_ newest: Posting?, _ position: Int, _ place: PostingPlace) throws(StoreError)
        -> Posting?
    {
        guard let posting = try advance(&opened[position], upTo: place) else { return newest }
        return newest.map { max($0, posting) } ?? posting
    }

    private func advance(_ segment: inout OpenSegment, upTo place: PostingPlace) throws(StoreError) -> Posting? {
        if let posting = segment.current(upTo: place) {
            return posting
        }
        if let block = segment.block {
            // Mostly the next one.
            segment.open(try index.block(segment.number, term, olderThan: block.place))
            guard !segment.isAtEnd else { return nil }
            if let posting = segment.current(upTo: place) {
                return posting
            }
        }
        segment.open(try index.block(segment.number, term, holding: place))
        if let posting = segment.current(upTo: place) {
            return posting
        }
        segment.open(try index.block(segment.number, term, olderThan: place))
        return segment.current(upTo: place)
    }
}

extension TermCursor.OpenSegment {
    fileprivate mutating func open(_ block: SearchIndex.Block?) {
        self.block = block
        position = 0
        isAtEnd = block == nil
    }

    fileprivate mutating func current(upTo place: PostingPlace) -> Posting? {
        guard let postings = block?.postings else { return nil }
        while position < postings.count {
            if postings[position].place <= place {
                return postings[position]
            }
            position += 1
        }
        return nil
    }
}

extension SearchIndex {
    /// Terms that may be followed at once.
    private static let termsMax = 64

    /// - Returns: `nil` where there are too many, or no time to look for them.
    fileprivate func terms(
        beginningWith bytes: [UInt8], in segments: [Segment], _ isOver: () -> Bool
    ) throws(StoreError) -> [[UInt8]]? {
        var terms: Set<[UInt8]> = []
        for segment in segments {
            var last = bytes
            var statement = Self.termFrom
            while true {
                guard let term = try connection.first(statement, segment.number, last)?.bytes(0),
                    term.starts(with: bytes)
                else { break }
                terms.insert(term)
                guard terms.count <= Self.termsMax, !isOver() else { return nil }
                last = term
                statement = Self.termAfter
            }
        }
        return Array(terms)
    }

    private static let termFrom = StatementText(
        "SELECT term FROM search_postings WHERE segment = ?1 AND term >= ?2 ORDER BY term LIMIT 1")
    private static let termAfter = StatementText(
        "SELECT term FROM search_postings WHERE segment = ?1 AND term > ?2 ORDER BY term LIMIT 1")
}
