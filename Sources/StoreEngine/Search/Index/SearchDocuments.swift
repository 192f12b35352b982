import SQLCipher
import StoreBasics

/// The places and conversations of the messages that the index holds, by their sequences.
final class SearchDocuments {
    static let tableName = "search_documents"
    static let table = """
        CREATE TABLE search_documents (
            number INTEGER PRIMARY KEY,
            documents BLOB NOT NULL
        );
        """

    /// Sequences whose messages are in one row, whose number is that of its first one divided by this.
    fileprivate static let sequencesPerBlock: Int64 = 128
    private static let cachedBlocksMax = 512

    private let connection: Connection
    /// By their sequences. Of those that were read for an earlier search later messages may be missing.
    private var blocks: [Int64: [Posting]] = [:]
    private var lastNumber: Int64?
    private var lastBlock: [Posting] = []
    /// The lists of beginnings of words that were found.
    let beginnings = BeginningLists()
    /// The one of the index whose blocks these are.
    private var removals: Int64 = 0

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Forgets what is not true any more.
    ///
    /// - Parameter removals: of the index as it is read from now on.
    func begin(_ removals: Int64) {
        guard self.removals != removals else { return }
        self.removals = removals
        blocks.removeAll(keepingCapacity: true)
        lastNumber = nil
        beginnings.removeAll()
    }

    /// - Throws: `.searchIndexIncomplete` for a message that is not there.
    func posting(_ sequence: Int64) throws(StoreError) -> Posting {
        guard let posting = try find(sequence) else { throw .searchIndexDamaged }
        return posting
    }

    func find(_ sequence: Int64) throws(StoreError) -> Posting? {
        let number = Self.number(of: sequence)
        if number == lastNumber, let posting = Self.posting(sequence, in: lastBlock) {
            return posting
        }
        if number != lastNumber, let block = blocks[number] {
            lastBlock = block
            lastNumber = number
            if let posting = Self.posting(sequence, in: block) {
                return posting
            }
        }
        lastBlock = try read(number)
        lastNumber = number
        return Self.posting(sequence, in: lastBlock)
    }

    private static func posting(_ sequence: Int64, in block: [Posting]) -> Posting? {
        let index = index(of: sequence, in: block)
        guard index < block.count, block[index].place.sequence == sequence else { return nil }
        return block[index]
    }

    /// - Parameter postings: of messages that are not there.
    func add(_ postings: [Posting]) throws(StoreError) {
        for (number, added) in Dictionary(grouping: postings, by: { Self.number(of: $0.place.sequence) })
            .sorted(by: { $0.key < $1.key })
        {
            var block = try block(number) + added
            block.sort { $0.place.sequence < $1.place.sequence }
            try write(block, number)
        }
    }

    func remove(_ sequence: Int64) throws(StoreError) {
        let number = Self.number(of: sequence)
        var block = try block(number)
        let index = Self.index(of: sequence, in: block)
        guard index < block.count, block[index].place.sequence == sequence else { return }
        block.remove(at: index)
        try write(block, number)
        try SearchIndexState.noteRemoval(connection)
    }

    /// How many there are.
    func count() throws(StoreError) -> Int64 {
        var count: Int64 = 0
        let rows = try connection.rows(Self.selectAll)
        while try rows.next() {
            let first = rows.integer(0) &* Self.sequencesPerBlock
            count += Int64(try DocumentBlock.decode(rows.borrowedBytes(1), first: first).count)
        }
        return count
    }

    private func block(_ number: Int64) throws(StoreError) -> [Posting] {
        if let block = blocks[number] {
            return block
        }
        return try read(number)
    }

    private func read(_ number: Int64) throws(StoreError) -> [Posting] {
        var block: [Posting] = []
        if let row = try connection.first(Self.select, number) {
            block = try DocumentBlock.decode(row.borrowedBytes(0), first: number &* Self.sequencesPerBlock)
        }
        if blocks.count >= Self.cachedBlocksMax {
            blocks.removeAll(keepingCapacity: true)
        }
        blocks[number] = block
        return block
    }

    private func write(_ block: [Posting], _ number: Int64) throws(StoreError) {
        if block.isEmpty {
            try connection.run(Self.delete, number)
        } else {
            try connection.run(
                Self.replace, number, DocumentBlock.encode(block, first: number &* Self.sequencesPerBlock))
        }
        blocks[number] = block
        lastNumber = nil
        beginnings.removeAll()
    }

    /// - Returns: where a message is or would be.
    private static func index(of sequence: Int64, in block: [Posting]) -> Int {
        // It stands at its number or, where messages before it are missing, by so many before that.
        let offset = Int(sequence & (sequencesPerBlock - 1))
        var upper = min(offset, block.count)
        var lower = max(0, min(upper, offset - (Int(sequencesPerBlock) - block.count)))
        while lower < upper {
            let middle = (lower + upper) / 2
            if block[middle].place.sequence < sequence {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        return lower
    }

    private static func number(of sequence: Int64) -> Int64 { sequence >> sequencesPerBlock.trailingZeroBitCount }

    private static let select = StatementText("SELECT documents FROM search_documents WHERE number = ?1")
    private static let selectAll = StatementText("SELECT number, documents FROM search_documents")
    private static let replace = StatementText("INSERT OR REPLACE INTO search_documents VALUES (?1, ?2)")
    private static let delete = StatementText("DELETE FROM search_documents WHERE number = ?1")
}

/// Messages by their sequences as bytes: what each differs in from the message before it, as LEB128 numbers and an id.
enum DocumentBlock {
    /// - Parameter first: the sequence that the first one's difference is to.
    static func encode(_ postings: [Posting], first: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(postings.count * 20)
        var (sequence, time, conversation) = (first, Int64(0), Int64(0))
        var ids = PostingIDCoding()
        for posting in postings {
            bytes.append(leb128: UInt64(bitPattern: posting.place.sequence &- sequence))
            bytes.append(leb128: ZigZag.encode(posting.place.microseconds &- time))
            bytes.append(leb128: ZigZag.encode(posting.conversation &- conversation))
            ids.append(posting.place.id, to: &bytes)
            (sequence, time, conversation) = (
                posting.place.sequence, posting.place.microseconds, posting.conversation
            )
        }
        return bytes
    }

    /// - Throws: `.searchIndexIncomplete` for bytes that `encode` cannot have made.
    static func decode(_ bytes: UnsafeRawBufferPointer, first: Int64) throws(StoreError) -> [Posting] {
        var postings: [Posting] = []
        // Each number has a byte or more, and each id two.
        postings.reserveCapacity(min(bytes.count / 5, Int(SearchDocuments.sequencesPerBlock)))
        var reader = ByteReader(bytes)
        var (sequence, microseconds, conversation) = (first, Int64(0), Int64(0))
        var ids = PostingIDCoding()
        while !reader.isAtEnd {
            guard let later = reader.leb128(), let time = reader.leb128(), let number = reader.leb128(),
                let id = ids.next(&reader)
            else { throw .searchIndexDamaged }
            sequence &+= Int64(bitPattern: later)
            microseconds &+= ZigZag.decode(time)
            conversation &+= ZigZag.decode(number)
            guard postings.last.map({ $0.place.sequence < sequence }) ?? true else { throw .searchIndexDamaged }
            postings.append(
                Posting(
                    place: PostingPlace(microseconds: microseconds, id: id, sequence: sequence),
                    conversation: conversation))
        }
        guard !postings.isEmpty else { throw .searchIndexDamaged }
        return postings
    }
}
