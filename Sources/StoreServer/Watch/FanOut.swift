import NIOCore
import StoreBasics
import StoreEngine

/// What followers are told.
enum News: Sendable {
    case commit(CommitNews)
    /// Something happened to these logs; `nil`: to any.
    case logs([LogName]?)
    /// So much has happened that it is not told one by one: everything up to this revision is to be read.
    case behind(revision: UInt64)
    /// Everything up to this revision has been told.
    case standing(revision: UInt64)
}

/// A commit's changes, with what they are about.
struct CommitNews: Sendable {
    let changes: [Change]
    let topics: CommitTopics

    init(_ changes: [Change]) {
        self.changes = changes
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

    fileprivate struct User {
        var index = FollowerIndex()
        var pending = FIFOQueue<Pending>()
        var pendingChanges = 0
    }

    /// How long followers are told of news in one go.
    private static let sliceNanoseconds: UInt64 = 1_000_000
    /// How long the loop does other things in between.
    private static let pause = TimeAmount.milliseconds(1)
    /// Commits of one user's followers that may wait to be told, and changes of them.
    static let pendingMax = 64
    static let pendingChangesMax = 20_000

    private var users: [UInt32: User] = [:]
    /// Of users with something to tell.
    private var turns = Turns<UInt32>()
    private var isScheduled = false

    func insert(_ key: FollowerKey, of uid: UInt32, _ topics: [FollowerIndex.Topic]) {
        users[uid, default: User()].index.insert(key, topics)
    }

    func remove(_ key: FollowerKey, of uid: UInt32) {
        users[uid]?.index.remove(key)
        if let user = users[uid], user.index.isEmpty, user.pending.isEmpty {
            users[uid] = nil
        }
    }

    func add(_ news: News) {
        for uid in users.keys {
            let followers: [FollowerKey]
            var changeCount = 0
            switch news {
            case .commit(let commit):
                followers = users[uid]?.index.concerned(by: commit.topics) ?? []
                changeCount = commit.changes.count
            case .logs(let names):
                followers = users[uid]?.index.concerned(by: names) ?? []
            case .behind, .standing:
                followers = []
            }
            if !followers.isEmpty {
                enqueue(Pending(news: news, followers: followers[...]), changeCount: changeCount, of: uid)
            }
        }
    }

    /// Every watch is told where it stands, behind all that concerns it.
    func carryForward(through revision: UInt64) {
        for uid in users.keys {
            let watchers = users[uid]?.index.watchers ?? []
            if !watchers.isEmpty {
                enqueue(Pending(news: .standing(revision: revision), followers: watchers[...]), changeCount: 0, of: uid)
            }
        }
    }

    private func enqueue(_ pending: Pending, changeCount: Int, of uid: UInt32) {
        guard var user = users[uid] else { return }
        users[uid] = nil
        turns.join(uid, .last(owing: 0))
        user.pending.append(pending)
        user.pendingChanges += changeCount
        if user.pending.count > Self.pendingMax || user.pendingChanges > Self.pendingChangesMax, user.pending.count > 1
        {
            user.collapse()
        }
        users[uid] = user
    }

    /// Tells what can be told in a short while.
    ///
    /// - Returns: true when there is more.
    func run(_ tell: (News, FollowerKey) -> Void) -> Bool {
        let end = MonotonicClock.nanoseconds + Self.sliceNanoseconds
        while let uid = turns.next(1) {
            if let (news, key) = users[uid]?.next() {
                tell(news, key)
            }
            let isDone = users[uid]?.pending.isEmpty ?? true
            turns.taken(debt: 0, isEmpty: isDone)
            if isDone, users[uid]?.index.isEmpty ?? false {
                users[uid] = nil
            }
            if MonotonicClock.nanoseconds >= end {
                return !turns.isEmpty
            }
        }
        return false
    }

    /// Lets the loop do other things, then calls back; once at a time.
    func goOnLater(_ eventLoop: any EventLoop, _ goOn: @escaping @Sendable () -> Void) {
        guard !isScheduled else { return }
        isScheduled = true
        eventLoop.scheduleTask(in: Self.pause, goOn)
    }

    func wentOn() {
        isScheduled = false
    }
}

extension FanOut.User {
    fileprivate mutating func next() -> (News, FollowerKey)? {
        guard var first = pending.first, let key = first.followers.popFirst() else { return nil }
        if first.followers.isEmpty {
            _ = pending.popFirst()
            if case .commit(let commit) = first.news {
                pendingChanges -= commit.changes.count
            }
        } else {
            pending.replaceFirst(first)
        }
        return (first.news, key)
    }

    /// What waits becomes one piece of news.
    fileprivate mutating func collapse() {
        var followers: Set<FollowerKey> = []
        var revision: UInt64 = 0
        while let dropped = pending.popFirst() {
            followers.formUnion(dropped.followers)
            switch dropped.news {
            case .commit(let commit): revision = max(revision, commit.changes.last?.revision ?? 0)
            case .behind(let through), .standing(let through): revision = max(revision, through)
            case .logs: break
            }
        }
        pending.append(FanOut.Pending(news: .behind(revision: revision), followers: Array(followers)[...]))
        pendingChanges = 0
    }
}
