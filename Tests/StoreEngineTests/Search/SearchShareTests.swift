import Glibc
import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests the search index while clients write without a pause, and the lists that a search keeps from one page to the
/// next.
@Suite struct SearchShareTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func save(_ text: String, _ id: String) throws {
        try store.engine.write(
            .saveMessage(NewMessage(id: EntityID(id), conversation: .session(SessionID("bob")), text: text)))
    }

    /// Saves messages so that the index gets `segments` segments of `count` messages each.
    private func saveInSegments(_ segments: Int, of count: Int) throws {
        for segment in 0..<segments {
            for number in 0..<count {
                try save("word\(number) sentence\(segment) worm\(number)", "s\(segment)n\(number)")
            }
            try store.engine.writer.perform { context throws(StoreError) in _ = try SearchUpkeep.step(context) }
        }
    }

    private func segmentCount() throws -> Int {
        try store.engine.writer.perform { context throws(StoreError) in
            try SearchIndex(try context.openConnection()).segmentCount()
        }
    }

    /// Runs `body` while four users write without a pause.
    private func whileOthersWrite(_ body: () throws -> Void) throws {
        let isOver = Seen<Bool>()
        let engine = store.engine
        @Sendable func write(_ number: Int, _ owner: WorkOwner) {
            let contact = ContactUpdate(sessionID: SessionID(trusted: "c\(owner.userID)"), notes: "\(number)")
            engine.submit(WriteRequest(.saveContact(contact), owner: owner)) { _ in
                if isOver.all.isEmpty { write(number + 1, owner) }
            }
        }
        for user in 1...4 { write(0, WorkOwner(userID: UInt32(user), connection: 1)) }
        defer {
            isOver.add(true)
            #expect(eventually { engine.writer.waitingCount == 0 })
        }
        try body()
    }

    private func wait(_ patience: Duration) throws {
        try store.engine.writer.perform { context throws(StoreError) in
            context.searchBacklog.sharePatience = patience
        }
    }

    @Test func `the index is merged while clients write without a pause`() throws {
        try saveInSegments(60, of: 5)
        try wait(.milliseconds(200))
        try whileOthersWrite {
            #expect(eventually { (try? segmentCount()).map { $0 < 12 } ?? false })
        }
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `the index does not use the writer during a burst of writes`() throws {
        try wait(.seconds(600))
        try whileOthersWrite {
            // Save during the burst, because an idle writer would merge the segments.
            try saveInSegments(60, of: 5)
            let count = try segmentCount()
            usleep(500_000)
            #expect(count > 12)
            #expect(try segmentCount() == count)
        }
    }

    @Test func `the index's share of the writer's time grows with the number of segments, within limits`() {
        func rest(_ segments: Int, writesWait: Bool = false) -> Double {
            var share = SearchShare()
            share.segmentCount = segments
            share.record(nanoseconds: 10_000_000, writesWait: writesWait)
            return Double(share.restNanoseconds) / 10_000_000
        }
        #expect(rest(1) > 55 && rest(1) < 64)
        #expect(rest(16) > 12 && rest(16) < 16)
        #expect(rest(32) > 5 && rest(32) < 8 && rest(10_000) > 5)
        #expect(rest(1, writesWait: true) > 55 && rest(10_000, writesWait: true) > 25)
    }

    @Test func `a search for beginnings finds all matches while messages are saved and deleted and segments merged`()
        throws
    {
        try saveInSegments(40, of: 10)
        let reader = store.engine.makeReader()
        var search = MessageSearch(try SearchQuery("word* worm* sentence*"), limit: 7)
        var found: [String] = []
        var page = 0
        while true {
            let end = try reader.searchMessages(search) { message in
                found.append(String(decoding: message.message.id, as: UTF8.self))
                return .goOn
            }
            search.before = end?.last
            guard end?.hasMore == true else { break }
            page += 1
            if page % 5 == 0, page < 50 {
                // Deletes one of the oldest and one of the newest messages.
                try store.engine.write(.deleteMessages([EntityID("s\(page / 5)n0"), EntityID("s39n\(page / 5)")]))
            }
            try store.engine.writer.perform { context throws(StoreError) in _ = try SearchUpkeep.step(context) }
        }
        let gone = Set((1...min(page / 5, 9)).map { "s\($0)n0" })
        let all = Set((0..<40).flatMap { segment in (0..<10).map { "s\(segment)n\($0)" } })
        #expect(Set(found).count == found.count)
        #expect(Set(found).isSuperset(of: all.subtracting(gone).filter { !$0.hasPrefix("s39") }))
        #expect(try segmentCount() < 40)
    }

    @Test func `the list of a beginning is made once for each segment that is not being merged`() throws {
        try saveInSegments(9, of: 5)
        try store.engine.writer.perform { context throws(StoreError) in
            let index = SearchIndex(try context.openConnection())
            let lists = BeginningLists()
            var made = 0
            func look(_ segment: SearchIndex.Segment) throws(StoreError) {
                _ = try lists.list(of: [1], in: segment) { () throws(StoreError) in
                    made += 1
                    return [1, 2]
                }
            }
            // The writer may be merging all segments now, so the loop waits until one segment is not being merged.
            for _ in 0..<100 {
                if try index.segments().contains(where: \.isStill) { break }
                try SearchUpkeep.step(context)
            }
            let still = try index.segments().filter(\.isStill)
            #expect(!still.isEmpty)
            for _ in 0..<3 { for segment in still { try look(segment) } }
            #expect(made == still.count)
            lists.removeAll()
            for segment in still { try look(segment) }
            #expect(made == 2 * still.count)
            _ = try context.commit { _ throws(StoreError) in try index.mergeStep { true } }
            for segment in try index.segments() where !segment.isStill {
                made = 0
                try look(segment)
                try look(segment)
                #expect(made == 2)
            }
        }
    }
}
