import StoreBasics
import StoreCrypto

/// The file that a write stores its chunks in: a new file, or free slots of an existing content's file.
final class ContentTarget {
    /// The smallest and the largest number of slots that are reserved at once. Between these bounds, each reservation
    /// is as large as all earlier ones together, so that a write consists of few runs.
    private static let slotsReservedMin: UInt64 = 16
    private static let slotsReservedMax: UInt64 = 4_096
    /// The number of written chunks after which the kernel is asked to start writing, so that the final sync is short.
    private static let chunksPerWriteBack = 128

    let header: ContentHeader
    let key: SharedContentKey
    /// The generation of this write. It is random, so that chunks left by an interrupted write are never taken for
    /// chunks of another write.
    let generation: UInt64
    /// True if no row refers to the file yet.
    let isNew: Bool
    private let open: OpenContent
    private let folder: VaultFolder
    private var slots: FreeSlots
    private var reserved: Range<UInt64> = 0..<0
    private var reservedCount: UInt64 = 0
    private var chunksToWriteBack = 0
    private(set) var runs: [ChunkRun] = []

    /// Creates a new file.
    ///
    /// - Parameter announce: called with the content's id before the file is created.
    init(
        newIn folder: VaultFolder, _ announce: (ContentID) throws(StoreError) -> Void = { (_) in }
    ) throws(StoreError) {
        header = ContentHeader(
            id: try mappedKeys(.random()), cipher: try mappedKeys(.fastest()), chunkBytes: VaultContent.chunkBytes)
        key = SharedContentKey(try mappedKeys(.generate()))
        generation = Self.newGeneration()
        isNew = true
        self.folder = folder
        try announce(header.id)
        let file = try folder.create(header, under: key.key)
        open = OpenContent(header.id, key, file)
        slots = FreeSlots(end: 0)
    }

    /// Writes to slots of an existing file that are outside the occupied ranges: the content's runs and the slots that
    /// are still to be overwritten.
    init(_ content: VaultContent, _ open: OpenContent, besides occupied: [Range<UInt64>], _ folder: VaultFolder) {
        header = content.header
        key = content.key
        generation = Self.newGeneration()
        isNew = false
        self.folder = folder
        self.open = open
        slots = FreeSlots(besides: occupied)
    }

    static func newGeneration() -> UInt64 {
        UInt64.random(in: 1...UInt64(Rows.countMax))
    }

    /// Seals a chunk in place and writes it.
    ///
    /// - Parameters:
    ///   - buffer: contains the plaintext at `plaintextRange`. Its content is overwritten.
    ///   - expectedCount: the number of chunks that follow this chunk, if known.
    func write(
        _ plaintextBytes: Int, of chunk: UInt64, from buffer: UnsafeMutableRawBufferPointer, expectedCount: UInt64?
    ) throws(StoreError) {
        if reserved.isEmpty {
            let count = min(max(reservedCount, Self.slotsReservedMin), Self.slotsReservedMax)
            reserved = slots.reserve(min(count, max(1, expectedCount.map { $0 + 1 } ?? count)))
            reservedCount += UInt64(reserved.count)
        }
        let slot = reserved.lowerBound
        try open.file.write(
            plaintextBytes, from: buffer, to: slot, as: ChunkPlace(chunk: chunk, generation: generation))
        writeBackSometimes()
        reserved = (slot + 1)..<reserved.upperBound
        guard let run = ChunkRun(chunks: chunk..<(chunk + 1), firstSlot: slot, generation: generation) else {
            throw .invalidArgument("the file would be larger than the largest possible file")
        }
        if let last = runs.last, let joined = last.joined(with: run) {
            runs[runs.count - 1] = joined
        } else {
            runs.append(run)
        }
    }

    private func writeBackSometimes() {
        chunksToWriteBack += 1
        if chunksToWriteBack == Self.chunksPerWriteBack {
            open.file.beginWriteBack()
            chunksToWriteBack = 0
        }
    }

    var slotBytes: Int { open.file.slotBytes }

    func plaintextRange(_ count: Int) -> Range<Int> {
        open.file.plaintextRange(count)
    }

    /// Makes the written chunks durable, and also the name of a new file.
    func sync() throws(StoreError) {
        try open.file.sync()
        if isNew {
            try folder.syncFolder(of: header.id)
        }
    }

    /// Abandons the write. A new file is removed at once. `VaultCleaning` erases the chunks in free slots of an
    /// existing file after the write has ended.
    func abandon() {
        if isNew {
            try? folder.remove(header.id)
        }
    }
}
