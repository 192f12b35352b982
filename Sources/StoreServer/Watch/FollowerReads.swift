import DequeModule

/// The reads that the followers of one event loop make of the store: only so many of one user at a time, so that what
/// is read for them neither fills the queue of the reader threads nor memory. The turns are those of that queue.
final class FollowerReads {
    /// Starts a read; false when there is nothing to read any more, or nothing will arrive.
    typealias Start = () -> Bool

    static let runningPerUserMax = 4

    private struct User {
        var running = 0
        var waiting: Deque<Start> = []
    }

    private var users: [UInt32: User] = [:]

    /// Starts a read now, or when one before it is done. Each that was started is to be reported by `completed`.
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

    /// What was read has arrived, or nothing will.
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
