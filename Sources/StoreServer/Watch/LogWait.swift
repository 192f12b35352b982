import StoreEngine

/// A read of a log that is answered when there is something to read. No I/O, no clock.
///
/// Its owner reads whenever it is told to, answers with what it has read, and reports a read that found nothing.
struct LogWait {
    /// What to do after an event.
    enum Step {
        case nothing
        case read
        case answer(Answer)
    }

    private enum State {
        /// A read is under way. `mustReadAgain`: something may have been appended since it began.
        case reading(mustReadAgain: Bool)
        /// A read is under way, the last one. When it finds nothing the answer is the failure, else the empty page.
        case ending(RequestFailure?)
        /// Nothing was there to read: what to answer when the time is over.
        case waiting(LogPage)
    }

    let query: LogQuery
    /// A wait begins with a read.
    private var state = State.reading(mustReadAgain: false)

    init(_ query: LogQuery) {
        self.query = query
    }

    /// Something happened to the log.
    mutating func touched() -> Step {
        switch state {
        case .reading:
            state = .reading(mustReadAgain: true)
            return .nothing
        case .ending:
            return .nothing
        case .waiting:
            state = .reading(mustReadAgain: false)
            return .read
        }
    }

    /// The read found nothing: `page` has no entries.
    mutating func readNothing(_ page: LogPage) -> Step {
        switch state {
        case .reading(mustReadAgain: true):
            state = .reading(mustReadAgain: false)
            return .read
        case .reading(mustReadAgain: false), .waiting:
            state = .waiting(page)
            return .nothing
        case .ending(let failure):
            return .answer(failure.map { .failure($0) } ?? .logEntries(page))
        }
    }

    /// What answers it instead of a read that has not begun: it must not go on.
    var endsUnread: Step? {
        if case .ending(let failure?) = state { .answer(.failure(failure)) } else { nil }
    }

    /// Its time is over, or its caller does not want it any more (`failure` `nil`), or it must not go on.
    mutating func end(_ failure: RequestFailure?) -> Step {
        switch state {
        case .ending(let earlier?):
            state = .ending(earlier)
            return .nothing
        case .reading, .ending(nil):
            state = .ending(failure)
            return .nothing
        case .waiting(let page):
            return .answer(failure.map { .failure($0) } ?? .logEntries(page))
        }
    }
}
