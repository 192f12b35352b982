import FoundationEssentials
import Glibc
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

/// Tests which watches receive a commit, and how the daemon limits the work for the watches of one user.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FanOutTests {
    private static let hog: UInt32 = 1_000
    private static let victim: UInt32 = 1_001
    private static let rights = [hog: UserServer.everyRight, victim: UserServer.everyRight]

    private static func key(_ id: UInt64) -> FollowerKey {
        FollowerKey(connection: 1, requestID: id, isWaitingRead: false, number: id)
    }

    /// Notifies watches until no notification is pending.
    private static func tellAll(_ fanOut: FanOut, _ tell: (News, FollowerKey) -> Void) {
        while fanOut.hasPending {
            fanOut.run(until: 0, tell)
        }
    }

    private static func change(_ kind: EntityKind, id: String = "e", parent: String = "") -> Change {
        Change(
            revision: 1, kind: kind, operation: .created, id: id, parent: parent,
            committedAt: Timestamp(microseconds: 1))
    }

    @Test(arguments: TestSeeds.range(5, long: 40))
    func `the index finds every watch whose filter matches`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        let kinds: [EntityKind] = [.conversation, .message, .contact, .store, .sceneValue, .log]
        let names = ["a", "b", ""]
        var index = FollowerIndex()
        var filters: [FollowerKey: ChangeFilter] = [:]
        for id in 0..<30 as Range<UInt64> {
            var filter = ChangeFilter()
            filter.kinds = Set(kinds.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 })
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: filter.conversationID = names.dropLast().randomElement(using: &generator)
            case 1: filter.scene = names.dropLast().randomElement(using: &generator)
            default: break
            }
            filters[Self.key(id)] = filter
            index.insert(Self.key(id), filter.topics)
        }
        for id in 0..<5 as Range<UInt64> {
            index.remove(Self.key(id))
            filters[Self.key(id)] = nil
        }
        for _ in 0..<50 {
            let changes = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
                Self.change(
                    kinds.randomElement(using: &generator) ?? .log, id: names.randomElement(using: &generator) ?? "",
                    parent: names.randomElement(using: &generator) ?? "")
            }
            let concerned = Set(index.concerned(by: CommitTopics(changes)))
            let matching = Set(filters.filter { changes.contains(where: $0.value.matches) }.keys)
            #expect(concerned.isSuperset(of: matching))
        }
    }

    @Test func `a commit goes only to watches that it may concern`() {
        var index = FollowerIndex()
        for id in 0..<100 as Range<UInt64> {
            index.insert(Self.key(id), ChangeFilter(conversationID: "c\(id)").topics)
        }
        let commit = CommitTopics([Self.change(.message, parent: "c7"), Self.change(.contact)])
        #expect(index.concerned(by: commit) == [Self.key(7)])
    }

    @Test func `users are notified in turn, and each watch that fell far behind is notified once`() {
        let fanOut = FanOut()
        for id in 0..<100 as Range<UInt64> {
            fanOut.insert(Self.key(id), of: Self.hog, [.anyChange])
        }
        fanOut.insert(Self.key(500), of: Self.victim, [.anyChange])
        fanOut.add(.commit(CommitNews([Self.change(.contact)], of: .none)))
        var told: [UInt64] = []
        Self.tellAll(fanOut) { told.append($1.requestID) }
        #expect(told.count == 101)
        #expect(told.prefix(2).contains(500))

        for _ in 0...FanOut.pendingMax {
            fanOut.add(.commit(CommitNews([Self.change(.contact)], of: .none)))
        }
        var behind = 0
        told = []
        Self.tellAll(fanOut) { news, key in
            told.append(key.requestID)
            if case .behind(1, _) = news {
                behind += 1
            }
        }
        #expect(told.count == 101 && behind == 101)
    }

    @Test func `notifications pause after a short time, however many are pending`() {
        let fanOut = FanOut()
        for id in 0..<100 as Range<UInt64> {
            fanOut.insert(Self.key(id), of: Self.hog, [.anyChange])
        }
        fanOut.add(.commit(CommitNews([Self.change(.contact)], of: .none)))
        var told = 0
        var runs = 0
        while fanOut.hasPending {
            let toldBefore = told
            fanOut.run(until: MonotonicClock.nanoseconds + 1_000_000) { _, _ in
                told += 1
                let end = MonotonicClock.nanoseconds + 200_000
                while MonotonicClock.nanoseconds < end {}
            }
            runs += 1
            // A run has a limit of 1 ms and each notification takes 0.2 ms, so a run notifies 1 to 5 watches.
            #expect(1...5 ~= told - toldBefore)
        }
        #expect(told == 100 && runs >= 20)
    }

    /// Splits the notifications into random runs, and delays the reads of each watch at random.
    @Test(arguments: TestSeeds.range(4, long: 20))
    func `every watch gets each matching change once and in order`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        let kinds: [EntityKind] = [.conversation, .message, .contact]
        let fanOut = FanOut()
        var watches: [FollowerKey: Watch] = [:]
        var heard: [FollowerKey: [UInt64]] = [:]
        var wanted: [FollowerKey: UInt64] = [:]
        var store: [Change] = []
        func take(_ step: Watch.Step, _ key: FollowerKey) {
            heard[key, default: []] += step.event?.changes.map(\.revision) ?? []
            wanted[key] = step.readAfter ?? wanted[key]
        }
        for id in 0..<12 as Range<UInt64> {
            let filter = ChangeFilter(kinds: Set([kinds.randomElement(using: &generator) ?? .message]))
            let (watch, _) = Watch.start(WatchRequest(filter: filter), current: 0, backlogBytesMax: .max)
            watches[Self.key(id)] = watch
            fanOut.insert(Self.key(id), of: UInt32(id % 3), filter.topics)
        }
        func tell(_ news: News, _ key: FollowerKey) {
            switch news {
            case .commit(let commit):
                if let step = watches[key]?.committed(commit.changes, isWritable: true) { take(step, key) }
            case .behind(let revision, _):
                if let step = watches[key]?.fellBehind(revision, isWritable: true) { take(step, key) }
            case .standing(let revision, _):
                if let step = watches[key]?.carryForward(through: revision, isWritable: true) { take(step, key) }
            case .logs, .replication: break
            }
        }
        func readOne() {
            guard let (key, revision) = wanted.randomElement(using: &generator), let filter = watches[key]?.filter
            else { return }
            wanted[key] = nil
            let rest = store.filter { $0.revision > revision && filter.matches($0) }
            let page = ChangePage(
                changes: Array(rest.prefix(5)),
                throughRevision: rest.count > 5 ? rest[4].revision : UInt64(store.count),
                revision: UInt64(store.count), history: .none)
            if let step = watches[key]?.read(page, isWritable: true) { take(step, key) }
        }
        for _ in 0..<600 {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0: Self.tellAll(fanOut, tell)
            case 1: fanOut.carryForward(through: UInt64(store.count), of: .none)
            case 2...4: readOne()
            default:
                let kind = kinds.randomElement(using: &generator) ?? .message
                let first = UInt64(store.count) + 1
                let changes = (first...(first + .random(in: 0..<3, using: &generator))).map {
                    Change(
                        revision: $0, kind: kind, operation: .created, id: "e", parent: "",
                        committedAt: Timestamp(microseconds: 1))
                }
                store += changes
                fanOut.add(.commit(CommitNews(changes, of: .none)))
            }
        }
        repeat {
            readOne()
            Self.tellAll(fanOut, tell)
        } while !wanted.isEmpty
        for (key, watch) in watches {
            #expect(heard[key, default: []] == store.filter(watch.filter.matches).map(\.revision))
        }
    }

    @Test func `only a few of one user's reads for watches run at a time, even if thousands end at once`() {
        let reads = FollowerReads()
        var started = 0
        for _ in 0..<10 {
            reads.submit(uid: Self.hog) {
                started += 1
                return true
            }
        }
        // The connections of these reads close before the reads run.
        for _ in 0..<TestTier.count(20_000, long: 100_000) {
            reads.submit(uid: Self.hog) { false }
        }
        reads.submit(uid: Self.victim) {
            started += 1
            return true
        }
        #expect(started == FollowerReads.runningPerUserMax + 1)
        for _ in 0..<10 {
            reads.completed(uid: Self.hog)
        }
        #expect(started == 11)
        reads.submit(uid: Self.hog) { false }
        reads.submit(uid: Self.hog) {
            started += 1
            return true
        }
        #expect(started == 12)
    }

    private static func watch(_ connection: RawConnection, ids: Range<UInt64>) throws {
        try connection.send(ids.flatMap { RawConnection.frame(RawConnection.request($0, .watch(.init()))) })
    }

    @Test func `one user's watches leave space for watches of other users`() async throws {
        var configuration = ServerConfiguration()
        configuration.watchesMax = 40
        try await UserServer.with(Self.rights, configuration: configuration) { server in
            let connection = try server.connect(uid: Self.hog)
            try Self.watch(connection, ids: 1..<31)
            var refused = 0
            for _ in 1..<31 where try connection.receive().error.reason == "TOO_MANY_WATCHES" {
                refused += 1
            }
            #expect(refused == 10)
            let other = try server.connect(uid: Self.victim)
            #expect(try other.call(.watch(.init())).more)
            // A watch that ends makes room for another.
            #expect(try connection.call(.cancel(.with { $0.requestID = 1 }), id: 99).error.reason == "")
            _ = try connection.receive()
            #expect(try connection.call(.watch(.init()), id: 77).more)
        }
    }

    @Test func `long commits reach many watches completely while others are answered`() async throws {
        try await UserServer.with(Self.rights) { server in
            let watchers = try (0..<TestTier.count(4, long: 10)).map { _ in try server.connect(uid: Self.hog) }
            for connection in watchers {
                try Self.watch(connection, ids: 1..<31)
                for _ in 1..<31 {
                    #expect(try connection.receive().more)
                }
            }
            let victim = try server.connect(uid: Self.victim)
            let writer = try server.connect(uid: Self.hog)
            let commitCount = TestTier.count(2, long: 4)
            let messageCount = commitCount * 200 + 2
            let reading = watchers.map { connection in
                SideWork {
                    var last = [UInt64](repeating: 0, count: 31)
                    var counts = [Int](repeating: 0, count: 31)
                    while counts.dropFirst().contains(where: { $0 < messageCount }) {
                        let event = try connection.receive()
                        #expect(event.error.reason == "")
                        let id = Int(event.id)
                        for change in event.watchEvent.changes {
                            #expect(change.revision > last[id])
                            last[id] = change.revision
                            counts[id] += change.kind == .message ? 1 : 0
                        }
                    }
                }
            }
            for count in Array(repeating: 200, count: commitCount) {
                try writer.send(
                    RawConnection.request(
                        1,
                        .saveMessages(
                            .with {
                                $0.messages = (0..<count).map { _ in .with { $0.conversation.sessionID = "s" } }
                            })))
            }
            // The limit below leaves out the slowest calls, because a busy machine may delay single calls. If the
            // daemon notified all watches at once, calls would take several times the limit in a debug build.
            var durations: [Duration] = []
            for _ in 0..<100 {
                let start = ContinuousClock.now
                _ = try victim.call(.ping(.init()))
                durations.append(start.duration(to: .now))
                usleep(5_000)
            }
            for _ in 0..<commitCount {
                #expect(try writer.receive().error.reason == "")
            }
            for count in 0..<2 {
                _ = try writer.call(
                    .saveMessage(
                        .with {
                            $0.message.conversation.sessionID = "s"
                            $0.message.id = "last\(count)"
                        }))
            }
            for side in reading {
                try side.finish()
            }
            durations.sort()
            #expect(durations[90] < .milliseconds(500), "\(durations)")
        }
    }
}
