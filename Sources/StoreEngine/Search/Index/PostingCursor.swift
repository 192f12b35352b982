/// Goes through what an index has for an expression, newest first. It proposes every message that holds what is
/// searched for and some that do not: their texts tell. So it may propose anything newer than what it has not come to
/// when its time is over.
enum PostingCursor {
    case term(TermCursor)
    case all([PostingCursor])
    case any([PostingCursor])

    init(_ expression: SearchExpression, _ index: SearchIndex) throws(StoreError) {
        self.init(expression, index, try index.segments())
    }

    private init(_ expression: SearchExpression, _ index: SearchIndex, _ segments: [SearchIndex.Segment]) {
        func cursors(_ expressions: [SearchExpression]) -> [PostingCursor] {
            expressions.map { PostingCursor($0, index, segments) }
        }
        switch expression {
        case .nothing:
            self = .any([])
        case .phrase(let phrase):
            self = .all((0..<phrase.count).map { .term(TermCursor(phrase[$0], index, segments)) })
        case .all(let first, let others, except: _):
            self = .all(cursors([first] + others))
        case .any(let first, let others):
            self = .any(cursors([first] + others))
        }
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
