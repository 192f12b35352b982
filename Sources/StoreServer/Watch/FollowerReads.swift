/// The reads that the followers of one event loop make of the store: only so many of one user at a time, so that what
/// is read for them neither fills the queue of the reader threads nor memory.
final class FollowerReads {
    static let runningPerUserMax = 4

    private struct User {
        var running = 0
        var waiting = FIFOQueue<() -> Void>()
    }

    private var users: [UInt32: User] = [:]

    /// Starts a read now, or when one before it is done. Each started one is to be reported by `completed`.
    func submit(uid: UInt32, _ start: @escaping () -> Void) {
        guard users[uid]?.running ?? 0 < Self.runningPerUserMax else {
            users[uid]?.waiting.append(start)
            return
        }
        users[uid, default: User()].running += 1
        start()
    }

    /// What was read has arrived, or nothing will.
    func completed(uid: UInt32) {
        guard let next = users[uid]?.waiting.popFirst() else {
            users[uid]?.running -= 1
            if users[uid]?.running == 0 {
                users[uid] = nil
            }
            return
        }
        next()
    }
}
