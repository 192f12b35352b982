import SQLCipher
import StoreBasics

/// The posting places and conversations of the indexed messages, by their sequences.
final class SearchDocuments {
    static let tableName = "search_documents"
    static let table = """
        CREATE TABLE search_documents (
            number INTEGER PRIMARY KEY,
            documents BLOB NOT NULL
        );
        """

    private static let cachedBlocksMax = 512

    private let connection: Connection
    /// A cache of blocks by their numbers. A block that was read for an earlier search may lack later messages.
    private var blocks: [Int64: DocumentBlock] = [:]
    /// The block of the message that was looked up last.
    private var lastBlock: DocumentBlock?
    /// The cached lists of messages that contain a term with a given beginning.
    let beginnings = BeginningLists()
    /// The index's count of removals at which the cached blocks are valid.
    private var removals: Int64 = 0

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Clears the caches if messages were removed from the index.
    ///
    /// - Parameter removals: the index's count of removals on the current snapshot.
    func begin(_ removals: Int64) {
        guard self.removals != removals else { return }
        self.removals = removals
        blocks.removeAll(keepingCapacity: true)
        lastBlock = nil
        beginnings.removeAll()
    }

    /// - Throws: `.searchIndexIncomplete` if the message is missing.
    func posting(_ sequence: Int64) throws(StoreError) -> Posting {
        guard let posting = try find(sequence) else { throw .searchIndexDamaged }
        return posting
    }

    /// Returns the posting of a message; `nil` if the message is newer than `place`.
    ///
    /// - Throws: `.searchIndexIncomplete` if the message is missing.
    func posting(_ sequence: Int64, upTo place: PostingPlace) throws(StoreError) -> Posting? {
        guard let found = try locate(sequence) else { throw .searchIndexDamaged }
        return found.block.isNewer(found.index, than: place) ? nil : found.block.posting(at: found.index)
    }

    func find(_ sequence: Int64) throws(StoreError) -> Posting? {
        try locate(sequence).map { $0.block.posting(at: $0.index) }
    }

    /// Returns true if a message is newer than a place. The time decides in most cases, so the id is rarely read.
    ///
    /// - Throws: `.searchIndexIncomplete` if the message is missing.
    func isNewer(_ sequence: Int64, than place: PostingPlace) throws(StoreError) -> Bool {
        guard let found = try locate(sequence) else { throw .searchIndexDamaged }
        return found.block.isNewer(found.index, than: place)
    }

    /// Finds a message. A cached block that lacks it is read again.
    private func locate(_ sequence: Int64) throws(StoreError) -> (block: DocumentBlock, index: Int)? {
        let number = DocumentBlock.number(of: sequence)
        if let lastBlock, lastBlock.number == number, let index = lastBlock.index(of: sequence) {
            return (lastBlock, index)
        }
        if let block = blocks[number], let index = block.index(of: sequence) {
            lastBlock = block
            return (block, index)
        }
        let block = try read(number)
        lastBlock = block
        return block.index(of: sequence).map { (block, $0) }
    }

    /// Adds messages.
    ///
    /// - Parameter postings: messages that are not in the table yet.
    func add(_ postings: [Posting]) throws(StoreError) {
        for (number, added) in Dictionary(grouping: postings, by: { DocumentBlock.number(of: $0.place.sequence) })
            .sorted(by: { $0.key < $1.key })
        {
            let postings = try block(number).postings + added
            try write(postings.sorted { $0.place.sequence < $1.place.sequence }, number)
        }
    }

    func remove(_ sequence: Int64) throws(StoreError) {
        let number = DocumentBlock.number(of: sequence)
        let block = try block(number)
        guard let index = block.index(of: sequence) else { return }
        var postings = block.postings
        postings.remove(at: index)
        try write(postings, number)
        try SearchIndexState.incrementRemovals(connection)
    }

    /// Returns the number of indexed messages. This reads the whole table.
    func count() throws(StoreError) -> Int64 {
        var count: Int64 = 0
        let rows = try connection.rows(Self.selectAll)
        while try rows.next() {
            count += Int64(try DocumentBlock(rows.integer(0), rows.borrowedBytes(1)).count)
        }
        return count
    }

    private func block(_ number: Int64) throws(StoreError) -> DocumentBlock {
        if let block = blocks[number] {
            return block
        }
        return try read(number)
    }

    private func read(_ number: Int64) throws(StoreError) -> DocumentBlock {
        var block = DocumentBlock(number, [])
        if let row = try connection.first(Self.select, number) {
            block = try DocumentBlock(number, row.borrowedBytes(0))
        }
        if blocks.count >= Self.cachedBlocksMax {
            blocks.removeAll(keepingCapacity: true)
        }
        blocks[number] = block
        return block
    }

    private func write(_ postings: [Posting], _ number: Int64) throws(StoreError) {
        let block = DocumentBlock(number, postings)
        if postings.isEmpty {
            try connection.run(Self.delete, number)
        } else {
            try connection.run(Self.replace, number, block.encoded())
        }
        blocks[number] = block
        lastBlock = nil
        beginnings.removeAll()
    }

    private static let select = StatementText("SELECT documents FROM search_documents WHERE number = ?1")
    private static let selectAll = StatementText("SELECT number, documents FROM search_documents")
    private static let replace = StatementText("INSERT OR REPLACE INTO search_documents VALUES (?1, ?2)")
    private static let delete = StatementText("DELETE FROM search_documents WHERE number = ?1")
}
