import StoreBasics

/// Writes lists behind those that a segment has, in blocks as large as they may be.
struct PostingBlockWriter {
    private let index: SearchIndex
    private let segment: Int64
    private var builder = PostingBlockBuilder()
    private var key: [UInt8] = []

    /// - Parameter segment: of which the last block is made anew.
    init(_ index: SearchIndex, _ segment: Int64) throws(StoreError) {
        self.index = index
        self.segment = segment
        guard let block = try index.lastBlock(segment) else { return }
        try index.delete(block.name)
        for list in block.lists {
            try append(list)
        }
    }

    /// - Parameter list: of the last term there is, behind what there is of it, or of a later one.
    mutating func append(_ list: PostingList) throws(StoreError) {
        builder.begin(list.term)
        for sequence in list.sequences {
            if builder.byteCount >= PostingBlock.bytesMax, !builder.isEmpty {
                try finish()
                builder.begin(list.term)
            }
            if builder.isEmpty {
                key = PostingKey.bytes(list.term, try index.documents.posting(sequence).place)
            }
            builder.append(sequence)
        }
    }

    mutating func finish() throws(StoreError) {
        guard !builder.isEmpty else { return }
        try index.insertBlock(segment, key, builder.finish())
    }
}
