import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct SearchIndexTests {
    /// A search index, and a model of its content.
    private struct Model {
        struct Message {
            var text: String
            var posting: Posting
        }

        let index: SearchIndex
        var messages: [Message] = []
        var lastSequence: Int64 = 0
        var random: SplitMix

        private static let words = ["one", "two", "three", "thread", "中文字", "文中", "👍", "once", "on", "@bob"]

        init(_ connection: Connection, seed: UInt64) {
            index = SearchIndex(connection)
            random = SplitMix(seed: seed)
        }

        mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

        mutating func text() -> String {
            (0..<(1 + below(4))).map { _ in Self.words[below(Self.words.count)] }.joined(separator: " ")
        }

        /// Returns a posting with a random time. Some times are equal, and some are not in the order of saving.
        mutating func posting(_ sequence: Int64) -> Posting {
            let id = MixedIDs.id(below(1_000), sequence)
            let place = PostingPlace(microseconds: Int64(below(50)) + sequence / 4, id: id, sequence: sequence)
            return Posting(place: place, conversation: Int64(below(5)))
        }

        func indexed(_ message: Message) -> IndexedMessage {
            IndexedMessage(message.posting, TermScanner.terms(of: message.text))
        }

        mutating func add(_ count: Int) throws(StoreError) {
            let first = lastSequence + 1
            var added: [Message] = []
            for _ in 0..<count {
                lastSequence += 1 + Int64(below(3))
                added.append(Message(text: text(), posting: posting(lastSequence)))
            }
            try index.add(added.map(indexed), of: first...lastSequence)
            messages += added
        }

        mutating func remove() throws(StoreError) {
            guard !messages.isEmpty else { return }
            try index.remove(indexed(messages.remove(at: below(messages.count))))
        }

        mutating func edit() throws(StoreError) {
            guard !messages.isEmpty else { return }
            let number = below(messages.count)
            try index.remove(indexed(messages[number]))
            let sequence = messages[number].posting.place.sequence
            let (old, new) = (messages[number].posting.place, posting(sequence))
            let place = PostingPlace(microseconds: new.place.microseconds, id: old.id, sequence: sequence)
            messages[number] = Message(
                text: text(), posting: Posting(place: place, conversation: new.conversation))
            try index.add([indexed(messages[number])], of: sequence...sequence)
        }

        mutating func step() throws(StoreError) {
            switch below(8) {
            case 0...2: try add(1 + below(20))
            case 3: try remove()
            case 4: try edit()
            default: _ = try index.mergeStep { true }
            }
        }

        /// Returns the messages that a search finds: the index proposes messages, and messages whose texts do not match
        /// are left out.
        ///
        /// - Parameter isOver: returns true if the time of a cursor's step is over.
        func found(_ query: SearchQuery, isOver: @escaping () -> Bool = { false }) throws(StoreError) -> [Posting] {
            index.documents.begin(try SearchIndexState.read(index.connection).removals)
            let cursor = try PostingCursor(query.expression, index)
            let texts = Dictionary(uniqueKeysWithValues: messages.map { ($0.posting, $0.text) })
            var found: [Posting] = []
            var place = PostingPlace.newest
            while let posting = try cursor.newest(upTo: place, isOver: isOver) {
                if let text = texts[posting], query.expression.matches(TermScanner.terms(of: text)) {
                    found.append(posting)
                }
                place = posting.place.older
            }
            return found
        }

        func expected(_ query: SearchQuery) -> [Posting] {
            messages.filter { query.expression.matches(TermScanner.terms(of: $0.text)) }.map(\.posting).sorted(by: >)
        }
    }

    private static let queries = [
        "one", "one two", "on*", "th*", "\"one two\"", "one NOT two", "one OR 👍", "文", "中文", "中文字", "@bob",
        "(one OR two) three NOT 文中", "nothing", "nothing OR on", "o*",
    ]

    private func onConnection(_ body: @escaping @Sendable (Connection) throws(StoreError) -> [String]) throws {
        let store = try TemporaryStore()
        let failures = try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute("BEGIN IMMEDIATE"))
            let failures = try body(connection)
            connection.rollBack()
            return failures
        }
        #expect(failures == [])
    }

    @Test func `an index finds the same messages as a comparison of all texts`() throws {
        try onConnection { connection throws(StoreError) in
            var failures: [String] = []
            var model = Model(connection, seed: 14)
            for round in 0..<400 {
                try model.step()
                guard round % 20 == 19 else { continue }
                for text in Self.queries {
                    let query = try SearchQuery(text)
                    let expected = model.expected(query)
                    // The second search has time for only one step at a time.
                    let (found, foundSlowly) = (try model.found(query), try model.found(query, isOver: { true }))
                    if found != expected || foundSlowly != expected {
                        failures.append("round \(round): \(text)")
                    }
                }
            }
            if try !model.index.segments().contains(where: { $0.messageCount >= 64 }) {
                failures.append("nothing was merged")
            }
            return failures
        }
    }

    @Test func `the list of a term contains exactly the messages with the term`() throws {
        try onConnection { connection throws(StoreError) in
            var failures: [String] = []
            var model = Model(connection, seed: 15)
            for _ in 0..<200 {
                try model.step()
            }
            for term in ["one", "three", "中文", "中", "👍", ""] {
                let cursor = TermCursor(
                    TermPattern(bytes: Array(term.utf8), extent: .whole), model.index, try model.index.segments())
                var found: [Posting] = []
                var place = PostingPlace.newest
                while let posting = try cursor.newest(upTo: place) {
                    found.append(posting)
                    place = posting.place.older
                }
                let holding = model.messages.filter { model.indexed($0).terms.contains(Array(term.utf8)) }
                if found != holding.map(\.posting).sorted(by: >) {
                    failures.append("the list of \(term)")
                }
            }
            return failures
        }
    }

    @Test func `removed messages leave no rows in the index`() throws {
        try onConnection { connection throws(StoreError) in
            var model = Model(connection, seed: 16)
            try model.add(500)
            try model.add(300)
            while !model.messages.isEmpty {
                try model.remove()
            }
            while try model.index.mergeStep(isOver: { false }) {}
            var left: [String] = []
            for table in SearchIndex.tableNames
            where try mapped(connection.integer("SELECT count(*) FROM \(table)")) != 0 {
                left.append(table)
            }
            return left
        }
    }

    @Test func `many small segments become few`() throws {
        try onConnection { connection throws(StoreError) in
            var model = Model(connection, seed: 17)
            for _ in 0..<300 {
                try model.add(1)
                while try model.index.mergeStep(isOver: { true }) {}
            }
            let count = try model.index.segments().count
            return count < 32 ? [] : ["\(count) segments"]
        }
    }

    @Test func `lists are decoded to what was encoded, and other bytes are damage`() throws {
        var random = SplitMix(seed: 18)
        func number() -> Int64 {
            let word = Int64(bitPattern: random.next())
            return word % 3 == 0 ? [.min, -1, 0, 1, .max][Int(random.next() % 5)] : word
        }
        for _ in 0..<200 {
            let terms = Set((0..<(1 + random.next() % 9)).map { _ in random.bytes(Int(random.next() % 4)) })
            let lists = terms.sorted { $0.lexicographicallyPrecedes($1) }.map { term in
                PostingList(term: term, sequences: (0..<(1 + random.next() % 40)).map { _ in number() })
            }
            #expect(try PostingBlock.encode(lists).withUnsafeBytes { try PostingBlock.decode($0) } == lists)
            let first = number()
            let sequences = Set((0..<20).map { _ in Int64(random.next() >> 2) + (first >> 1) }).sorted()
            let postings = sequences.map { sequence in
                let id = MixedIDs.id(Int(random.next() % 1_000), Int64(random.next() % 9))
                return Posting(
                    place: PostingPlace(microseconds: number(), id: id, sequence: sequence), conversation: number())
            }
            let block = DocumentBlock(DocumentBlock.number(of: first), postings)
            let decoded = try block.encoded().withUnsafeBytes { try DocumentBlock(block.number, $0) }
            #expect(decoded.postings == postings)
        }
        for round in 0..<2_000 {
            let bytes = random.bytes(round % 40)
            #expect(throws: StoreError.searchIndexDamaged, "\(bytes)") {
                try bytes.withUnsafeBytes { _ = try PostingBlock.decode($0) }
                throw StoreError.searchIndexDamaged
            }
            #expect(throws: StoreError.searchIndexDamaged, "\(bytes)") {
                try bytes.withUnsafeBytes { _ = try DocumentBlock(0, $0) }
                throw StoreError.searchIndexDamaged
            }
        }
    }

    @Test func `a list in a block is found without reading the terms before it`() throws {
        var random = SplitMix(seed: 19)
        // The terms have few letters, so many of them are the beginning of another.
        func term() -> [UInt8] { (0..<(random.next() % 5)).map { _ in UInt8(random.next() % 3) } }
        for _ in 0..<500 {
            let terms = Set((0..<(1 + random.next() % 40)).map { _ in term() })
                .sorted { $0.lexicographicallyPrecedes($1) }
            let lists = terms.map { PostingList(term: $0, sequences: [Int64(bitPattern: random.next())]) }
            let bytes = PostingBlock.encode(lists)
            for target in terms + (0..<20).map({ _ in term() }) {
                let expected = lists.filter { !$0.term.lexicographicallyPrecedes(target) }
                try bytes.withUnsafeBytes { bytes in
                    var reader = PostingBlockReader(bytes)
                    var found: [PostingList] = []
                    var isThere = try reader.seek(target)
                    while isThere {
                        found.append(PostingList(term: reader.term, sequences: try reader.sequences()))
                        isThere = try reader.next()
                    }
                    #expect(found == expected)
                }
            }
        }
        for round in 0..<5_000 {
            let bytes = random.bytes(round % 40).map { $0 & 7 }
            bytes.withUnsafeBytes { bytes in
                var reader = PostingBlockReader(bytes)
                // The result does not matter; the call must not trap.
                _ = try? reader.seek(term())
            }
        }
    }

    @Test func `ids have the order of their bytes, and are decoded to what was encoded`() {
        var random = SplitMix(seed: 21)
        let ids = (0..<400).map { _ in MixedIDs.text(Int(random.next() % 1_000), Int64(random.next() % 50)) }
        for (left, right) in zip(ids, ids.dropFirst()) {
            let isLesser = Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8))
            #expect((PostingID(EntityID(trusted: left)) < PostingID(EntityID(trusted: right))) == isLesser)
            #expect((EntityID(trusted: left) < EntityID(trusted: right)) == isLesser)
            #expect(PostingID(EntityID(trusted: left)).entityID.text.hasSameBytes(as: left))
            #expect(EntityID.lowerBound < EntityID(trusted: left) && EntityID(trusted: left) < EntityID.upperBound)
        }
        let longest = EntityID(trusted: String(repeating: "\u{10FFFF}", count: EntityID.bytesMax / 4))
        #expect(longest < EntityID.upperBound)
    }

    @Test func `keys have the order of their terms, and for one term the newest first`() {
        let places = [Int64.max, 1, 0, -1, .min].flatMap { time in
            ["b", "ab", "a", "A"].flatMap { id in
                [Int64.max, 0, .min].map { PostingPlace(microseconds: time, id: id, sequence: $0) }
            }
        }
        let terms: [[UInt8]] = [[], [1], [1, 1], [1, 255], [2]]
        let keys = terms.flatMap { term in places.map { PostingKey.bytes(term, $0) } }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }
}
