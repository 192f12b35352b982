import DequeModule

/// The reads of the store for the followers of one event loop. The number of running reads per user is limited, so that
/// they fill neither the queue of the reader threads nor memory. The queue of the reader threads decides which user
/// comes next.
final class FollowerReads {
    /// Starts a read. Returns false if there is nothing to read any more or no result will arrive.
    typealias Start = () -> Bool

    static let runningPerUserMax = 4

    private struct User {
        var running = 0
        var waiting: Deque<Start> = []
    }

    private var users: [UInt32: User] = [:]

    /// Starts a read now, or when an earlier read of the user is done. `completed` must be called for each started
    /// read.
    func submit(uid: UInt32, _ start: @escaping Start) {
        guard users[uid]?.running ?? 0 < Self.runningPerUserMax else {
            users[uid]?.waiting.append(start)
            return
        }
        users[uid, default: User()].running += 1
        if !start() {
            completed(uid: uid)
        }
    }

    /// Records that a started read has delivered its result or will deliver none.
    func completed(uid: UInt32) {
        while let start = users[uid]?.waiting.popFirst() {
            if start() {
                return
            }
        }
        users[uid]?.running -= 1
        if users[uid]?.running == 0 {
            users[uid] = nil
        }
    }
}
