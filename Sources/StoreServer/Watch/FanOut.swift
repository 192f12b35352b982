import DequeModule
import StoreBasics
import StoreEngine

/// An event for followers: watches and waiting reads.
enum News: Sendable {
    case commit(CommitNews)
    /// These append logs changed; `nil` stands for any log.
    case logs([LogName]?)
    /// There may be messages to send to the store's replica group.
    case replication
    /// Too many changes happened to send each of them. Followers must read everything up to this revision.
    case behind(revision: UInt64, of: HistoryID)
    /// Everything up to this revision has been sent.
    case standing(revision: UInt64, of: HistoryID)

    /// The history whose revisions the event contains; `nil` if it contains none.
    var history: HistoryID? {
        switch self {
        case .commit(let commit): commit.history
        case .behind(_, let history), .standing(_, let history): history
        case .logs, .replication: nil
        }
    }
}

/// The changes of a commit, with the topics that they concern.
struct CommitNews: Sendable {
    let changes: [Change]
    let history: HistoryID
    let topics: CommitTopics

    init(_ changes: [Change], of history: HistoryID) {
        self.changes = changes
        self.history = history
        topics = CommitTopics(changes)
    }
}

/// Sends each event to those followers of one event loop that the event concerns. Users take turns in short time
/// slices, so that neither many followers nor long commits occupy the loop.
///
/// Every follower receives events in order. If too many events are pending for a user's followers, they are replaced by
/// a single one: a notice to read the changes from the store.
final class FanOut {
    fileprivate struct Pending {
        let news: News
        var followers: ArraySlice<FollowerKey>
    }

    fileprivate final class User {
        let uid: UInt32
        var index = FollowerIndex()
        var pending: Deque<Pending> = []
        var pendingChanges = 0
        /// True if the user is in the queue of turns.
        var isQueued = false

        init(_ uid: UInt32) {
            self.uid = uid
        }
    }

    /// The largest number of pending events for the followers of one user, and the largest number of changes in these
    /// events.
    static let pendingMax = 64
    static let pendingChangesMax = 20_000

    private var users: [UInt32: User] = [:]
    /// The users with pending events, in the order of their turns.
    private var turns: Deque<User> = []

    func insert(_ key: FollowerKey, of uid: UInt32, _ topics: [FollowerIndex.Topic]) {
        let user = users[uid] ?? User(uid)
        users[uid] = user
        user.index.insert(key, topics)
    }

    func remove(_ key: FollowerKey, of uid: UInt32) {
        users[uid]?.index.remove(key)
        if let user = users[uid], user.index.isEmpty, user.pending.isEmpty {
            users[uid] = nil
        }
    }

    func add(_ news: News) {
        for user in users.values {
            let followers: [FollowerKey]
            var changeCount = 0
            switch news {
            case .commit(let commit):
                followers = user.index.concerned(by: commit.topics)
                changeCount = commit.changes.count
            case .logs(let names):
                followers = user.index.concerned(by: names)
            case .replication:
                followers = user.index.concernedByReplication
            case .behind, .standing:
                followers = []
            }
            if !followers.isEmpty {
                enqueue(Pending(news: news, followers: followers[...]), changeCount: changeCount, of: user)
            }
        }
    }

    /// Sends every watch its position, after all pending events that concern the watch.
    func carryForward(through revision: UInt64, of history: HistoryID) {
        for user in users.values {
            let watchers = user.index.watchers
            if !watchers.isEmpty {
                let news = News.standing(revision: revision, of: history)
                enqueue(Pending(news: news, followers: watchers[...]), changeCount: 0, of: user)
            }
        }
    }

    /// Drops pending events about revisions, because the store has another history now, in which these revisions mean
    /// nothing.
    func historyChanged() {
        for user in users.values {
            user.forgetRevisions()
        }
    }

    private func enqueue(_ pending: Pending, changeCount: Int, of user: User) {
        user.pending.append(pending)
        user.pendingChanges += changeCount
        if user.pending.count > Self.pendingMax || user.pendingChanges > Self.pendingChangesMax, user.pending.count > 1
        {
            user.collapse()
        }
        if !user.isQueued {
            user.isQueued = true
            turns.append(user)
        }
    }

    var hasPending: Bool {
        !turns.isEmpty
    }

    /// Sends events until this time of `MonotonicClock`, and to at least one follower.
    func run(until end: UInt64, _ deliver: (News, FollowerKey) -> Void) {
        while let user = turns.popFirst() {
            if let (news, key) = user.next() {
                deliver(news, key)
            }
            user.isQueued = !user.pending.isEmpty
            if user.isQueued {
                turns.append(user)
            } else if user.index.isEmpty {
                users[user.uid] = nil
            }
            if MonotonicClock.nanoseconds >= end {
                return
            }
        }
    }
}

extension FanOut.User {
    fileprivate func next() -> (News, FollowerKey)? {
        guard let news = pending.first?.news, let key = pending[0].followers.popFirst() else { return nil }
        if pending[0].followers.isEmpty {
            pending.removeFirst()
            if case .commit(let commit) = news {
                pendingChanges -= commit.changes.count
            }
        }
        return (news, key)
    }

    /// Replaces all pending events by one.
    fileprivate func collapse() {
        var followers: Set<FollowerKey> = []
        var revision: UInt64 = 0
        var history: HistoryID?
        while let dropped = pending.popFirst() {
            followers.formUnion(dropped.followers)
            history = dropped.news.history ?? history
            switch dropped.news {
            case .commit(let commit): revision = max(revision, commit.changes.last?.revision ?? 0)
            case .behind(let through, _), .standing(let through, _): revision = max(revision, through)
            case .logs, .replication: break
            }
        }
        let news = history.map { News.behind(revision: revision, of: $0) } ?? .logs(nil)
        pending.append(FanOut.Pending(news: news, followers: Array(followers)[...]))
        pendingChanges = 0
    }

    /// Drops pending events about revisions. Events without a revision stay: they only make waiting reads read the
    /// store again.
    fileprivate func forgetRevisions() {
        pending.removeAll { $0.news.history != nil }
        pendingChanges = 0
    }
}
