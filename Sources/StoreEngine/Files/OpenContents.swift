import StoreBasics
import StoreCrypto

/// The file of a content, held open with what opens its chunks.
final class OpenContent {
    let id: ContentID
    let key: SharedContentKey
    let file: ContentFile

    init(_ id: ContentID, _ key: SharedContentKey, _ file: consuming ContentFile) {
        self.id = id
        self.key = key
        self.file = file
    }
}

/// The files that a reader has read from last, and memory for a chunk of one. They go with the reader's connection: a
/// locked store holds neither files nor keys.
final class OpenContents {
    private static let filesMax = 4
    /// Slots behind a part of several chunks that the disk reads ahead.
    private static let slotsAhead: UInt64 = 64

    private let directory: StateDirectory
    private var folder: VaultFolder?
    /// The one used last comes last.
    private var files: [OpenContent] = []
    private var buffer = ChunkBuffer()

    init(_ directory: StateDirectory) {
        self.directory = directory
    }

    /// Reads a part of a content.
    ///
    /// - Parameters:
    ///   - range: within the content; not empty.
    ///   - runs: of all its chunks.
    ///   - slice: when it is over the part ends, behind the first chunk at the earliest.
    /// - Throws: `.fileDamaged`: or the content is another by now.
    func read(
        _ range: Range<UInt64>, of content: VaultContent, _ runs: [ChunkRun], _ slice: WorkSlice
    ) throws(StoreError) -> [UInt8] {
        let open = try file(of: content)
        let layout = content.layout
        let chunkBytes = UInt64(layout.chunkBytes)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for run in runs {
            guard let part = run.part(of: layout.chunks(of: range)) else { continue }
            if part.chunks.count > 1 {
                // Readers take turns with the pieces of a file: the kernel sees no order to read ahead in.
                try open.file.beginRead(of: part.slots)
                try open.file.beginRead(of: part.slots.upperBound..<(part.slots.upperBound + Self.slotsAhead))
            }
            for (chunk, slot) in zip(part.chunks, part.slots) {
                guard bytes.isEmpty || !slice.isOver else { return bytes }
                let start = chunk * chunkBytes
                let count = layout.byteCount(of: chunk)
                let place = ChunkPlace(chunk: chunk, generation: part.generation)
                let plaintext = try forgettingOnFailure(open) { () throws(StoreError) in
                    try buffer.read(count, of: open.file, from: slot, as: place)
                }
                let lower = Int(max(range.lowerBound, start) - start)
                let upper = Int(min(range.upperBound, start + UInt64(count)) - start)
                bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: plaintext[lower..<upper]))
            }
        }
        return bytes
    }

    /// That of a content whose file is open.
    func key(of id: ContentID) -> SharedContentKey? {
        files.first { $0.id == id }?.key
    }

    private func file(of content: VaultContent) throws(StoreError) -> OpenContent {
        if let index = files.firstIndex(where: { $0.id == content.header.id }) {
            let found = files.remove(at: index)
            files.append(found)
            return found
        }
        let file = try openFolder().open(content.header, under: content.key.key)
        let opened = OpenContent(content.header.id, content.key, file)
        if files.count == Self.filesMax {
            files.removeFirst()
        }
        files.append(opened)
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

    /// Another file may have come in its place.
    private func forgettingOnFailure<Value>(
        _ open: OpenContent, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            files.removeAll { $0 === open }
            throw error
        }
    }
}

/// Memory for one sealed chunk, made at first use. What was in it last is wiped with it.
struct ChunkBuffer: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer?

    deinit {
        memory?.wipe()
        memory?.deallocate()
    }

    /// Memory for a slot of the file.
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

    /// Reads a chunk.
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
