import SQLCipher
import StoreBasics

/// The inverted index: for each term the messages that contain it, newest first, in blocks by segment and term.
///
/// A segment consists of messages that were added together, and has the range of their sequences. New messages make
/// small segments, which are merged into larger ones in steps of a few milliseconds. A message that is removed from the
/// index leaves its blocks at once.
///
/// Every message is also in the list of the empty term.
struct SearchIndex {
    let connection: Connection
    let documents: SearchDocuments

    init(_ connection: Connection) {
        self.init(connection, SearchDocuments(connection))
    }

    /// - Parameter documents: the documents of the same connection.
    init(_ connection: Connection, _ documents: SearchDocuments) {
        self.connection = connection
        self.documents = documents
    }

    static let tableNames = ["search_segments", "search_keys", "search_blocks", SearchDocuments.tableName]
    static let tables = """
        CREATE TABLE search_segments (
            number INTEGER PRIMARY KEY,
            first_sequence INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL,
            message_count INTEGER NOT NULL,
            newest INTEGER NOT NULL,
            oldest INTEGER NOT NULL,
            merged_into INTEGER
        );
        CREATE TABLE search_keys (
            segment INTEGER NOT NULL,
            key BLOB NOT NULL,
            block INTEGER NOT NULL,
            PRIMARY KEY (segment, key)
        ) WITHOUT ROWID;
        CREATE TABLE search_blocks (
            number INTEGER PRIMARY KEY,
            lists BLOB NOT NULL
        );
        \(SearchDocuments.table)
        """

    /// A range of messages that were added together.
    struct Segment {
        let number: Int64
        let sequences: ClosedRange<Int64>
        let messageCount: Int64
        /// The times of its messages. The range may be larger than necessary.
        let microseconds: ClosedRange<Int64>
        /// The segment that this one is being merged into; `nil` if it is not being merged.
        let mergedInto: Int64?
        /// True if other segments are being merged into this one.
        fileprivate(set) var isTarget = false

        /// True if nothing is added to the segment's lists or moved out of them.
        var isStill: Bool { mergedInto == nil && !isTarget }

        init(_ row: borrowing Rows) throws(StoreError) {
            number = row.integer(0)
            let (first, last) = (row.integer(1), row.integer(2))
            let (newest, oldest) = (row.integer(4), row.integer(5))
            guard first <= last, oldest <= newest else { throw .searchIndexDamaged }
            sequences = first...last
            microseconds = oldest...newest
            guard (0...Rows.countMax).contains(row.integer(3)) else { throw .searchIndexDamaged }
            messageCount = row.integer(3)
            mergedInto = row.optionalInteger(6)
        }
    }

    /// The maximum size of a block. A block reaches it only if its lists contain only the longest differences.
    static let blockBytesMax = 4_096

    struct BlockName {
        let number: Int64
        let segment: Int64
        let key: [UInt8]

        init(_ row: borrowing Rows, segment: Int64) {
            self.segment = segment
            number = row.integer(0)
            key = row.bytes(1)
        }
    }

    struct Block {
        let name: BlockName
        var lists: [PostingList]

        init(_ row: borrowing Rows, segment: Int64) throws(StoreError) {
            name = BlockName(row, segment: segment)
            lists = try PostingBlock.decode(row.borrowedBytes(2))
        }
    }

    /// The part of a term's list that is in one block.
    struct ListPart {
        let sequences: [Int64]
        /// The key of the block that contains the part.
        let key: [UInt8]
        /// True if the list may continue in the next block.
        let mayContinue: Bool
    }

    /// Returns the segments in the order of their first sequences, including merge targets.
    func segments() throws(StoreError) -> [Segment] {
        let rows = try connection.rows(Self.selectSegments)
        var segments: [Segment] = []
        while try rows.next() {
            segments.append(try Segment(rows))
        }
        let targets = Set(segments.compactMap(\.mergedInto))
        for index in segments.indices {
            segments[index].isTarget = targets.contains(segments[index].number)
        }
        return segments
    }

    // MARK: Reading lists

    /// Returns the part of a term's list in the last block that begins at or before `place`.
    func part(_ segment: Int64, _ term: [UInt8], holding place: PostingPlace) throws(StoreError) -> ListPart {
        let key = PostingKey.bytes(term, place)
        guard let row = try connection.first(Self.blockAt, segment, key) else {
            return ListPart(sequences: [], key: key, mayContinue: true)
        }
        return try Self.part(row, term)
    }

    /// Returns the part of a term's list in the block after `key`; `nil` if there is no further block.
    ///
    /// - Parameter key: a block's key.
    func part(_ segment: Int64, _ term: [UInt8], after key: [UInt8]) throws(StoreError) -> ListPart? {
        guard let row = try connection.first(Self.blockAfter, segment, key) else { return nil }
        return try Self.part(row, term)
    }

    private static func part(_ row: borrowing Rows, _ term: [UInt8]) throws(StoreError) -> ListPart {
        var reader = PostingBlockReader(row.borrowedBytes(2))
        guard try reader.seek(term) else { return ListPart(sequences: [], key: row.bytes(1), mayContinue: true) }
        guard reader.term == term else { return ListPart(sequences: [], key: row.bytes(1), mayContinue: false) }
        return ListPart(sequences: try reader.sequences(), key: row.bytes(1), mayContinue: reader.isAtEnd)
    }

    /// Returns the messages of all terms that begin with `bytes`, newest first; `nil` if there are more than
    /// `countMax`.
    func sortedSequences(
        _ segment: Segment, beginningWith bytes: [UInt8], countMax: Int
    ) throws(StoreError) -> [Int64]? {
        try documents.beginnings.list(of: bytes, in: segment) { () throws(StoreError) in
            guard let found = try sequences(segment.number, beginningWith: bytes, countMax: countMax) else {
                return nil
            }
            var places: [PostingPlace] = []
            for sequence in Set(found) {
                places.append(try documents.posting(sequence).place)
            }
            return places.sorted(by: >).map(\.sequence)
        }
    }

    /// Returns the messages of all terms that begin with `bytes`, in no particular order and some more than once; `nil`
    /// if there are more than `countMax`.
    private func sequences(
        _ segment: Int64, beginningWith bytes: [UInt8], countMax: Int
    ) throws(StoreError) -> [Int64]? {
        var sequences: [Int64] = []
        var key = bytes
        var statement = Self.blockAt
        while true {
            guard let row = try connection.first(statement, segment, key) else {
                guard statement === Self.blockAt else { return sequences }
                statement = Self.blockAfter
                continue
            }
            var reader = PostingBlockReader(row.borrowedBytes(2))
            var isInBlock = try reader.seek(bytes)
            while isInBlock {
                guard reader.term.starts(with: bytes) else { return sequences }
                sequences += try reader.sequences()
                guard sequences.count <= countMax else { return nil }
                isInBlock = try reader.next()
            }
            key = row.bytes(1)
            statement = Self.blockAfter
        }
    }

    // MARK: Whole blocks

    /// Copies the first block of a segment.
    ///
    /// - Parameter use: called with the number of copied bytes.
    /// - Returns: `nil` if the segment has no blocks.
    func copyFirstBlock(
        _ segment: Int64, to copy: UnsafeMutableRawBufferPointer, _ use: (Int) -> Void
    ) throws(StoreError) -> BlockName? {
        guard let row = try connection.first(Self.blockAfter, segment, [UInt8]()) else { return nil }
        let bytes = row.borrowedBytes(2)
        guard bytes.count <= copy.count else { throw .searchIndexDamaged }
        copy.copyMemory(from: bytes)
        use(bytes.count)
        return BlockName(row, segment: segment)
    }

    func lastBlock(_ segment: Int64) throws(StoreError) -> Block? {
        guard let row = try connection.first(Self.selectLastBlock, segment) else { return nil }
        return try Block(row, segment: segment)
    }

    /// Returns the only block of the segment that may contain the posting with this key: the last block that begins at
    /// or before the key. The caller must look for the posting in the block.
    func block(_ segment: Int64, _ key: [UInt8]) throws(StoreError) -> Block? {
        guard let row = try connection.first(Self.blockAt, segment, key) else { return nil }
        return try Block(row, segment: segment)
    }

    func insertBlock(_ segment: Int64, _ key: [UInt8], _ bytes: [UInt8]) throws(StoreError) {
        try connection.run(Self.insertLists, bytes)
        try connection.run(Self.insertKey, segment, key, connection.lastInsertedRow)
    }

    func delete(_ block: BlockName) throws(StoreError) {
        try connection.run(Self.deleteKey, block.segment, block.key)
        try connection.run(Self.deleteLists, block.number)
    }

    /// Rewrites a block after postings were removed from it; deletes it if none is left.
    func replace(_ block: Block) throws(StoreError) {
        guard let list = block.lists.first, let sequence = list.sequences.first else { return try delete(block.name) }
        try replace(block.name, by: PostingBlock.encode(block.lists), from: list.term, sequence)
    }

    /// Replaces a block.
    ///
    /// - Parameters:
    ///   - term: the term of the new block's first list.
    ///   - sequence: the first sequence of that list.
    func replace(
        _ block: BlockName, by bytes: [UInt8], from term: [UInt8], _ sequence: Int64
    ) throws(StoreError) {
        let key = PostingKey.bytes(term, try documents.posting(sequence).place)
        if key != block.key {
            try connection.run(Self.deleteKey, block.segment, block.key)
            try connection.run(Self.insertKey, block.segment, key, block.number)
        }
        try connection.run(Self.updateLists, block.number, bytes)
    }

    private static let selectSegments = StatementText(
        """
        SELECT number, first_sequence, last_sequence, message_count, newest, oldest, merged_into FROM search_segments
        ORDER BY first_sequence, number
        """)
    private static let columns = """
        SELECT b.number, k.key, b.lists FROM search_keys AS k CROSS JOIN search_blocks AS b ON b.number = k.block
        WHERE k.segment = ?1
        """
    private static let blockAt = StatementText("\(columns) AND k.key <= ?2 ORDER BY k.key DESC LIMIT 1")
    private static let blockAfter = StatementText("\(columns) AND k.key > ?2 ORDER BY k.key LIMIT 1")
    private static let selectLastBlock = StatementText("\(columns) ORDER BY k.key DESC LIMIT 1")
    private static let insertLists = StatementText("INSERT INTO search_blocks (lists) VALUES (?1)")
    private static let insertKey = StatementText("INSERT INTO search_keys VALUES (?1, ?2, ?3)")
    private static let updateLists = StatementText("UPDATE OR FAIL search_blocks SET lists = ?2 WHERE number = ?1")
    private static let deleteKey = StatementText("DELETE FROM search_keys WHERE segment = ?1 AND key = ?2")
    private static let deleteLists = StatementText("DELETE FROM search_blocks WHERE number = ?1")
}
