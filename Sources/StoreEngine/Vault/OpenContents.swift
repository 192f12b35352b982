import StoreBasics
import StoreCrypto
import Synchronization

/// An open vault file of a content, with the key that decrypts its chunks.
final class OpenContent: Sendable {
    /// The number of further slots that the kernel is asked to read after a part of several chunks.
    private static let slotsAhead: UInt64 = 64

    let id: ContentID
    let key: SharedContentKey
    let file: ContentFile
    /// The slots that the kernel was asked to read, beginning with the first slot of the part that was read last.
    private let askedSlots = Mutex<Range<UInt64>>(0..<0)

    init(_ id: ContentID, _ key: SharedContentKey, _ file: consuming ContentFile) {
        self.id = id
        self.key = key
        self.file = file
    }

    /// Asks the kernel to start reading slots and some slots after them, except slots that it was already asked for.
    /// The parts of one file are read by several readers in turn, so the kernel detects no sequential reader and does
    /// not read ahead by itself.
    func beginRead(of slots: Range<UInt64>) throws(StoreError) {
        let end = slots.upperBound + Self.slotsAhead
        let unasked: Range<UInt64>? = askedSlots.withLock { asked in
            let isOnTheWay = asked.contains(slots.lowerBound)
            let first = isOnTheWay ? max(slots.lowerBound, min(asked.upperBound, end)) : slots.lowerBound
            // Ask for few large parts instead of many small ones.
            let isAsked = !isOnTheWay || end - first >= Self.slotsAhead / 4
            asked = slots.lowerBound..<(isAsked ? end : first)
            return isAsked ? first..<end : nil
        }
        if let unasked {
            try file.beginRead(of: unasked)
        }
    }
}

/// The contents that one reader reads. It uses the files that are open for all readers, and keeps the plaintext of the
/// chunk that was last read in part. It lives as long as the reader's connection.
final class OpenContents {
    private let directory: StateDirectory
    private let files: OpenFiles
    /// The generation of the open store. It changes when all open connections become invalid, for example at a lock.
    private let generation: UInt64
    private var folder: VaultFolder?
    private var buffer = ChunkBuffer()
    /// The chunk whose plaintext is in `buffer`.
    private var opened: OpenedChunk?

    /// The identity of a chunk: no two chunks are ever sealed for the same content and place.
    private struct OpenedChunk: Equatable {
        let id: ContentID
        let place: ChunkPlace
    }

    init(_ directory: StateDirectory, _ files: OpenFiles, generation: UInt64) {
        self.directory = directory
        self.files = files
        self.generation = generation
    }

    /// Reads a part of a content until the time slice is used up.
    func read(
        _ range: Range<UInt64>, of content: VaultContent, _ runs: [ChunkRun], _ slice: WorkSlice
    ) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        let count = try bytes.withUnsafeMutableBufferPointer { memory throws(StoreError) in
            try read(
                range, of: content, runs, into: UnsafeMutableRawBufferPointer(memory), slice, mayWait: true)
        }
        bytes.removeLast(range.count - (count ?? 0))
        return bytes
    }

    /// Reads a part of a content.
    ///
    /// - Parameters:
    ///   - range: within the content; not empty.
    ///   - runs: all runs of the content.
    ///   - memory: has room for all bytes of the range.
    ///   - slice: the time slice after which reading stops. At least one chunk is read.
    ///   - mayWait: if false, no file is opened and nothing is read from the disk.
    /// - Returns: the number of bytes read; `nil` if reading would have to wait for the disk and `mayWait` is false.
    /// - Throws: `.fileDamaged`, also if the content was changed after the snapshot began.
    func read(
        _ range: Range<UInt64>, of content: VaultContent, _ runs: [ChunkRun],
        into memory: UnsafeMutableRawBufferPointer, _ slice: WorkSlice, mayWait: Bool
    ) throws(StoreError) -> Int? {
        guard let open = try file(of: content, mayOpen: mayWait) else { return nil }
        let layout = content.layout
        let chunkBytes = UInt64(layout.chunkBytes)
        var filled = 0
        for run in runs {
            guard let part = run.part(of: layout.chunks(of: range)) else { continue }
            if part.chunks.count > 1, mayWait {
                try open.beginRead(of: part.slots)
            }
            for (chunk, slot) in zip(part.chunks, part.slots) {
                guard filled == 0 || !slice.isOver else { return filled }
                let start = chunk * chunkBytes
                let count = layout.byteCount(of: chunk)
                let lower = Int(max(range.lowerBound, start) - start)
                let wanted = lower..<Int(min(range.upperBound, start + UInt64(count)) - start)
                let place = ChunkPlace(chunk: chunk, generation: part.generation)
                let target = UnsafeMutableRawBufferPointer(rebasing: memory[filled..<(filled + wanted.count)])
                let isRead = try forgettingOnFailure(open) { () throws(StoreError) in
                    try read(wanted, ofBytes: count, open, slot, place, into: target, mayWait: mayWait)
                }
                guard isRead else { return nil }
                filled += wanted.count
            }
        }
        return filled
    }

    /// Reads from one chunk. A whole chunk is decrypted directly into `target`. For a part, the plaintext of the chunk
    /// is kept for the next read.
    private func read(
        _ wanted: Range<Int>, ofBytes count: Int, _ open: OpenContent, _ slot: UInt64, _ place: ChunkPlace,
        into target: UnsafeMutableRawBufferPointer, mayWait: Bool
    ) throws(StoreError) -> Bool {
        let memory = buffer.bytes(for: open.file)
        let chunk = OpenedChunk(id: open.id, place: place)
        if opened != chunk {
            opened = nil
            guard wanted.count < count else {
                return try open.file.read(into: target, through: memory, from: slot, as: place, mayWait: mayWait)
            }
            guard try open.file.read(count, into: memory, from: slot, as: place, mayWait: mayWait) else { return false }
            opened = chunk
        }
        let plaintext = UnsafeRawBufferPointer(rebasing: memory[open.file.plaintextRange(count)])
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: plaintext[wanted]))
        return true
    }

    /// Returns the key of a content; `nil` if its file is not open.
    func key(of id: ContentID) -> SharedContentKey? {
        files.find(id, generation)?.key
    }

    /// Returns the open file of a content; `nil` if it is not open and `mayOpen` is false. Opening waits for the disk,
    /// because it looks up names and reads the header.
    private func file(of content: VaultContent, mayOpen: Bool) throws(StoreError) -> OpenContent? {
        if let found = files.find(content.header.id, generation) {
            return found
        }
        guard mayOpen else { return nil }
        let file = try openFolder().open(content.header, under: content.key.key)
        let opened = OpenContent(content.header.id, content.key, file)
        files.keep(opened, generation)
        return opened
    }

    private func openFolder() throws(StoreError) -> VaultFolder {
        if let folder {
            return folder
        }
        let opened = try VaultFolder(in: directory)
        folder = opened
        return opened
    }

    /// Closes the file if `body` throws, because another file may have replaced it on the disk.
    private func forgettingOnFailure<Value>(
        _ open: OpenContent, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            files.forget(open)
            throw error
        }
    }
}

/// A buffer for one sealed chunk, allocated at first use. It is wiped before it is freed.
struct ChunkBuffer: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer?

    deinit {
        memory?.wipe()
        memory?.deallocate()
    }

    /// Returns memory for one slot of the file.
    mutating func bytes(for file: borrowing ContentFile) -> UnsafeMutableRawBufferPointer {
        bytes(file.slotBytes)
    }

    mutating func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if let memory, memory.count >= count {
            return memory
        }
        memory?.wipe()
        memory?.deallocate()
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        memory = larger
        return larger
    }

    /// Reads and decrypts a chunk.
    ///
    /// - Returns: its plaintext, valid until the buffer is used again.
    mutating func read(
        _ plaintextBytes: Int, of file: borrowing ContentFile, from slot: UInt64, as place: ChunkPlace
    ) throws(StoreError) -> UnsafeRawBufferPointer {
        let memory = bytes(for: file)
        try file.read(plaintextBytes, into: memory, from: slot, as: place)
        return UnsafeRawBufferPointer(
            UnsafeMutableRawBufferPointer(rebasing: memory[file.plaintextRange(plaintextBytes)]))
    }
}
