import StoreBasics

/// Appends lists to a segment, in blocks as large as allowed.
struct PostingBlockWriter {
    private let index: SearchIndex
    private let segment: Int64
    private var builder = PostingBlockBuilder()
    private var key: [UInt8] = []

    /// Continues the segment's last block, which is deleted and written again with the new lists.
    init(_ index: SearchIndex, _ segment: Int64) throws(StoreError) {
        self.index = index
        self.segment = segment
        guard let block = try index.lastBlock(segment) else { return }
        try index.delete(block.name)
        for list in block.lists {
            try append(list)
        }
    }

    /// Appends a list.
    ///
    /// - Parameter list: continues the last term of the segment or has a greater term.
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
