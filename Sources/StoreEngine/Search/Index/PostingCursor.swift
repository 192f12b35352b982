/// Iterates over the messages that may match an expression, newest first. It proposes every matching message and some
/// that do not match, which the caller excludes by their texts. Therefore, when its time is over, it may propose the
/// message that it has reached, even if it does not know whether that message matches.
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

    /// Returns the newest proposed message at `place` or older. From one call to the next, `place` must not become
    /// newer.
    ///
    /// - Parameter isOver: returns true when time is over. The cursor then proposes the message it has reached, without
    ///   checking the other terms.
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
