import StoreBasics
import StoreProtocol
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

private func change(
    _ revision: UInt64, _ kind: EntityKind = .message, id: String? = nil, parent: String = "c1"
) -> Change {
    Change(
        revision: revision, kind: kind, operation: .created, id: id ?? "e\(revision)", parent: parent,
        committedAt: Timestamp(microseconds: Int64(revision)))
}

private func changes(_ revisions: ClosedRange<UInt64>) -> [Change] {
    revisions.map { change($0) }
}

private func page(_ changes: [Change], revision: UInt64, hasMore: Bool = false) -> ChangePage {
    ChangePage(
        changes: changes, throughRevision: hasMore ? changes.last?.revision ?? 0 : revision, revision: revision,
        history: .none)
}

private func start(
    after: UInt64?, current: UInt64 = 10, filter: ChangeFilter = ChangeFilter(), backlogBytesMax: Int = 1_000
) -> (watch: Watch, step: Watch.Step) {
    Watch.start(WatchRequest(afterRevision: after, filter: filter), current: current, backlogBytesMax: backlogBytesMax)
}

@Suite struct WatchTests {
    @Test func `a watch without a revision begins with the next commit`() {
        var (watch, step) = start(after: nil)
        #expect(step == Watch.Step(event: Watch.Event(changes: [], revision: 10)))
        let next = watch.committed(changes(11...12), isWritable: true)
        #expect(next.event == Watch.Event(changes: changes(11...12), revision: 12))
    }

    @Test func `a watch from a revision replays changes and continues without gap or duplicate`() {
        var (watch, step) = start(after: 4)
        #expect(step == Watch.Step(readAfter: 4))
        // Commits that happen while the page is being read are not sent twice.
        check(watch.committed(changes(9...10), isWritable: true), .nothing)
        step = watch.read(page(changes(5...7), revision: 10, hasMore: true), isWritable: true)
        #expect(step == Watch.Step(event: Watch.Event(changes: changes(5...7), revision: 7), readAfter: 7))
        check(watch.committed(changes(11...11), isWritable: true), .nothing)
        step = watch.read(page(changes(8...10), revision: 10), isWritable: true)
        #expect(step == Watch.Step(event: Watch.Event(changes: changes(8...10), revision: 10), readAfter: 10))
        step = watch.read(page(changes(11...11), revision: 11), isWritable: true)
        #expect(step == Watch.Step(event: Watch.Event(changes: changes(11...11), revision: 11)))
        check(watch.committed(changes(11...11), isWritable: true), .nothing)
        check(watch.committed(changes(12...12), isWritable: true).event?.revision, 12)
    }

    @Test func `a replay without changes returns the revision of the watch`() {
        var (watch, _) = start(after: 10)
        let step = watch.read(page([], revision: 10), isWritable: true)
        #expect(step == Watch.Step(event: Watch.Event(changes: [], revision: 10)))
    }

    @Test func `a live watch accepts a commit although commits before it were not sent to it`() {
        var (watch, _) = start(after: nil)
        let next = watch.committed(changes(13...14), isWritable: true)
        #expect(next == Watch.Step(event: Watch.Event(changes: changes(13...14), revision: 14)))
    }

    @Test func `a watch that fell behind reads the missed changes`() {
        var (watch, _) = start(after: nil)
        check(watch.fellBehind(10, isWritable: true), .nothing)
        check(watch.fellBehind(14, isWritable: true), Watch.Step(readAfter: 10))
        // While the watch reads, more changes are dropped, so it must read once more.
        check(watch.fellBehind(16, isWritable: true), .nothing)
        var step = watch.read(page(changes(11...14), revision: 14), isWritable: true)
        #expect(step == Watch.Step(event: Watch.Event(changes: changes(11...14), revision: 14), readAfter: 14))
        step = watch.read(page(changes(15...16), revision: 16), isWritable: true)
        #expect(step == Watch.Step(event: Watch.Event(changes: changes(15...16), revision: 16)))
    }

    @Test func `a watch that fell behind waits for its peer before it reads the missed changes`() {
        var (watch, _) = start(after: nil)
        check(watch.fellBehind(14, isWritable: false), .nothing)
        check(watch.writable(), Watch.Step(readAfter: 10))
    }

    @Test func `a commit larger than a page is read page by page`() {
        var (watch, _) = start(after: nil)
        let last = UInt64(11 + Watch.changesPerEventMax)
        check(watch.committed(changes(11...last), isWritable: true), Watch.Step(readAfter: 10))
        check(
            watch.read(page(changes(11...(last - 1)), revision: last, hasMore: true), isWritable: true),
            Watch.Step(event: Watch.Event(changes: changes(11...(last - 1)), revision: last - 1), readAfter: last - 1))
        check(
            watch.read(page(changes(last...last), revision: last), isWritable: true),
            Watch.Step(event: Watch.Event(changes: changes(last...last), revision: last)))
        check(watch.committed(changes((last + 1)...(last + 1)), isWritable: true).event?.revision, last + 1)
    }

    @Test func `a large commit with few matching changes is sent as one event`() {
        var (watch, _) = start(after: nil, filter: ChangeFilter(kinds: [.conversation]))
        check(watch.committed(changes(11...2_000), isWritable: true), Watch.Step(readAfter: 10))
        let matching = [change(2_000, .conversation)]
        check(
            watch.read(page(matching, revision: 2_000), isWritable: true),
            Watch.Step(event: Watch.Event(changes: matching, revision: 2_000)))
    }

    @Test func `a watch whose peer stalled reads the missed changes from the store`() {
        var (watch, _) = start(after: nil)
        check(watch.committed(changes(11...11), isWritable: false), .nothing)
        check(watch.committed(changes(12...12), isWritable: true), .nothing)
        check(watch.writable(), Watch.Step(readAfter: 10))
        check(watch.writable(), .nothing)
        let step = watch.read(page(changes(11...12), revision: 12), isWritable: true)
        #expect(step.event == Watch.Event(changes: changes(11...12), revision: 12))
    }

    @Test func `a watch that misses too much ends with an error`() {
        var (watch, _) = start(after: nil, backlogBytesMax: 200)
        var step = Watch.Step.nothing
        var revision: UInt64 = 11
        while step == .nothing, revision < 100 {
            step = watch.committed(changes(revision...revision), isWritable: false)
            revision += 1
        }
        #expect(step.failure?.reason == .watchBacklogExceeded)
        #expect(revision < 20)
        #expect(watch.revision == 10)
    }

    @Test func `changes that do not match are not sent and do not count as backlog`() {
        var (watch, _) = start(after: nil, filter: ChangeFilter(kinds: [.contact]), backlogBytesMax: 10)
        check(watch.committed(changes(11...11), isWritable: true), .nothing)
        check(watch.committed(changes(12...90), isWritable: false), .nothing)
    }

    @Test func `filter by conversation keeps it and its messages`() {
        let filter = ChangeFilter(conversationID: "c1")
        #expect(filter.matches(change(1, .message, parent: "c1")))
        #expect(filter.matches(change(1, .conversation, id: "c1", parent: "")))
        #expect(!filter.matches(change(1, .message, id: "c1", parent: "c2")))
        #expect(!filter.matches(change(1, .conversation, id: "c2", parent: "")))
        #expect(!filter.matches(change(1, .contact, id: "c1", parent: "")))
        #expect(!filter.matches(change(1, .sceneValue, parent: "c1")))
        #expect(filter.matches(change(1, .store, parent: "")))
    }

    @Test func `a revision ahead of the store is refused`() {
        var (watch, _) = start(after: 50)
        check(watch.read(page([], revision: 10), isWritable: true).failure?.reason, .revisionAhead)
    }

    @Test func `replay pauses while the peer does not read`() {
        var (watch, _) = start(after: 0)
        let step = watch.read(page(changes(1...5), revision: 10, hasMore: true), isWritable: false)
        #expect(step.readAfter == nil)
        check(watch.writable(), Watch.Step(readAfter: 5))
    }

    /// Tries random orders of commits, pages and stalls.
    @Test(arguments: TestSeeds.range(5, long: 30)) func `every change arrives once in order`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var store = changes(1...20)
        let after = UInt64.random(in: 0...20, using: &generator)
        var isWritable = true
        var (watch, step) = start(after: after, backlogBytesMax: .max)
        var sent: [UInt64] = []
        var wanted: UInt64?
        func take(_ step: Watch.Step) {
            sent += step.event?.changes.map(\.revision) ?? []
            wanted = step.readAfter ?? wanted
        }
        func readPage() {
            guard let revision = wanted else { return }
            wanted = nil
            let rest = store.filter { $0.revision > revision }
            take(
                watch.read(
                    page(Array(rest.prefix(7)), revision: UInt64(store.count), hasMore: rest.count > 7),
                    isWritable: isWritable))
        }
        take(step)
        for _ in 0..<400 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                let first = UInt64(store.count) + 1
                let batch = changes(first...(first + UInt64.random(in: 0..<3, using: &generator)))
                store += batch
                take(
                    Int.random(in: 0..<10, using: &generator) > 0
                        ? watch.committed(batch, isWritable: isWritable)
                        : watch.fellBehind(UInt64(store.count), isWritable: isWritable))
            case 1:
                isWritable.toggle()
                if isWritable {
                    take(watch.writable())
                }
            default:
                readPage()
            }
        }
        if !isWritable {
            isWritable = true
            take(watch.writable())
        }
        let last = change(UInt64(store.count) + 1)
        store.append(last)
        take(watch.committed([last], isWritable: true))
        while wanted != nil {
            readPage()
        }
        step = .nothing
        #expect(sent == Array((after + 1)...UInt64(store.count)))
    }

    @Test func `a live watch without matching changes gets its new revision once`() {
        var (watch, _) = start(after: nil, filter: ChangeFilter(kinds: [.contact]))
        check(watch.carryForward(through: 10, isWritable: true), .nothing)
        check(watch.committed(changes(11...90), isWritable: true), .nothing)
        check(watch.carryForward(through: 90, isWritable: false), .nothing)
        check(
            watch.carryForward(through: 90, isWritable: true), Watch.Step(event: Watch.Event(changes: [], revision: 90))
        )
        check(watch.carryForward(through: 90, isWritable: true), .nothing)
        let contact = change(91, .contact, parent: "")
        check(watch.committed([contact], isWritable: true).event?.changes, [contact])
        check(watch.carryForward(through: 91, isWritable: true), .nothing)
    }

    /// A watch remembers the revision to which it was carried forward, even if it could not send that revision to its
    /// peer. Otherwise the watch would later read changes before that revision, which a compaction may have removed.
    @Test func `a live watch is carried forward even while its peer does not read`() {
        var (watch, _) = start(after: nil, filter: ChangeFilter(kinds: [.contact]))
        check(watch.carryForward(through: 90, isWritable: false), .nothing)
        check(watch.fellBehind(100, isWritable: true), Watch.Step(readAfter: 90))
    }

    @Test func `a watch that replays or has stalled is not carried past changes that it has not read`() {
        var (replaying, _) = start(after: 0)
        check(replaying.carryForward(through: 50, isWritable: true), .nothing)
        var (stalled, _) = start(after: nil)
        check(stalled.committed(changes(11...11), isWritable: false), .nothing)
        check(stalled.carryForward(through: 50, isWritable: true), .nothing)
    }

    @Test func `a replay without matching changes returns the revision that it has reached`() {
        var (watch, _) = start(after: 0)
        let page = ChangePage(changes: [], throughRevision: 10_000, revision: 30_000, history: .none)
        let step = watch.read(page, isWritable: true)
        #expect(step == Watch.Step(event: Watch.Event(changes: [], revision: 10_000), readAfter: 10_000))
    }
}
