import DequeModule
import StoreBasics
import StoreEngine

/// What followers are told.
enum News: Sendable {
    case commit(CommitNews)
    /// Something happened to these logs; `nil`: to any.
    case logs([LogName]?)
    /// There may be something to tell the store's group.
    case replication
    /// So much has happened that it is not told one by one: everything up to this revision is to be read.
    case behind(revision: UInt64, of: HistoryID)
    /// Everything up to this revision has been told.
    case standing(revision: UInt64, of: HistoryID)

    /// Whose revisions it tells; `nil`: none.
    var history: HistoryID? {
        switch self {
        case .commit(let commit): commit.history
        case .behind(_, let history), .standing(_, let history): history
        case .logs, .replication: nil
        }
    }
}

/// A commit's changes, with what they are about.
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

/// Tells the followers of one event loop what concerns them: users in turn, and for a short while at a time, so that
/// neither many followers nor long commits hold the loop.
///
/// Every follower hears in order. A user whose followers fall far behind is told so instead of all that was missed.
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
        /// Has a place among those who take turns.
        var isQueued = false

        init(_ uid: UInt32) {
            self.uid = uid
        }
    }

    /// Commits of one user's followers that may wait to be told, and changes of them.
    static let pendingMax = 64
    static let pendingChangesMax = 20_000

    private var users: [UInt32: User] = [:]
    /// Users with something to tell, whose turn is first.
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

    /// Every watch is told where it stands, behind all that concerns it.
    func carryForward(through revision: UInt64, of history: HistoryID) {
        for user in users.values {
            let watchers = user.index.watchers
            if !watchers.isEmpty {
                let news = News.standing(revision: revision, of: history)
                enqueue(Pending(news: news, followers: watchers[...]), changeCount: 0, of: user)
            }
        }
    }

    /// The store has another history: what was to be told of the one before means nothing any more.
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

    /// Tells what can be told until this moment of `MonotonicClock`, and one follower at least.
    func run(until end: UInt64, _ tell: (News, FollowerKey) -> Void) {
        while let user = turns.popFirst() {
            if let (news, key) = user.next() {
                tell(news, key)
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

    /// What waits becomes one piece of news.
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

    /// Waiting reads stay: they look at the store again.
    fileprivate func forgetRevisions() {
        pending.removeAll { $0.news.history != nil }
        pendingChanges = 0
    }
}
