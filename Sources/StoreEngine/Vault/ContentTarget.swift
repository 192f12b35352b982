import StoreBasics
import StoreCrypto

/// The file that the chunks of a write go to: a new one, or that of a content in slots that are free.
final class ContentTarget {
    /// So many slots are taken at least at a time, and twice as many each time: what is written is few runs.
    private static let slotsTakenMin: UInt64 = 16
    private static let slotsTakenMax: UInt64 = 4_096
    /// Written chunks after which the disk begins with them: little is left to wait for at the end.
    private static let chunksPerWriteBack = 128

    let header: ContentHeader
    let key: SharedContentKey
    /// Of this write. At random: what a write that was cut off has left does not pass for another's.
    let generation: UInt64
    /// The file is not named by any row.
    let isNew: Bool
    private let open: OpenContent
    private let folder: VaultFolder
    private var slots: FreeSlots
    private var taken: Range<UInt64> = 0..<0
    private var takenCount: UInt64 = 0
    private var chunksToWriteBack = 0
    private(set) var runs: [ChunkRun] = []

    /// A new file.
    ///
    /// - Parameter announce: gets its id before the file is there.
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

    /// Slots of a content's file that neither these runs nor what is still to be overwritten have.
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

    /// Writes a chunk, sealed where it stands.
    ///
    /// - Parameters:
    ///   - buffer: the plaintext, at `plaintextRange`; what was in it is gone.
    ///   - expectedCount: how many more come after it, where that is known.
    func write(
        _ plaintextBytes: Int, of chunk: UInt64, from buffer: UnsafeMutableRawBufferPointer, expectedCount: UInt64?
    ) throws(StoreError) {
        if taken.isEmpty {
            let count = min(max(takenCount, Self.slotsTakenMin), Self.slotsTakenMax)
            taken = slots.take(min(count, max(1, expectedCount.map { $0 + 1 } ?? count)))
            takenCount += UInt64(taken.count)
        }
        let slot = taken.lowerBound
        try open.file.write(
            plaintextBytes, from: buffer, to: slot, as: ChunkPlace(chunk: chunk, generation: generation))
        writeBackSometimes()
        taken = (slot + 1)..<taken.upperBound
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

    /// Makes durable what was written, and that a new file is there.
    func sync() throws(StoreError) {
        try open.file.sync()
        if isNew {
            try folder.syncFolder(of: header.id)
        }
    }

    /// Nothing of it was made a file's. A new file goes at once; what lies in free slots of another's is erased behind
    /// the end of the write, by `VaultCleaning`.
    func abandon() {
        if isNew {
            try? folder.remove(header.id)
        }
    }
}
