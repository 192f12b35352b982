import CLinuxShims
import Glibc
import StoreBasics
import StoreCrypto

/// The open file of one content: a header, then slots with one sealed chunk each. Only the database knows which chunk
/// is in which slot, and which write stored it.
struct ContentFile: ~Copyable, Sendable {
    let chunkBytes: Int
    private let seal: ChunkSeal
    let descriptor: OwnedDescriptor
    /// The offset in the host file at which this file begins. It is above 0 within a backup, which is only read.
    private let start: Int

    /// - Parameter number: a descriptor for reading and writing. The new value owns it.
    private init(
        _ header: ContentHeader, _ key: borrowing ContentKey, descriptor number: Int32, at start: Int = 0
    ) throws(StoreError) {
        let owned = OwnedDescriptor(owning: number)
        self.start = start
        seal = try mappedKeys(ChunkSeal(header.cipher, of: header.id, under: key))
        descriptor = owned
        chunkBytes = Int(header.chunkBytes)
    }

    /// Creates a file by writing its header.
    static func begin(
        _ header: ContentHeader, under key: borrowing ContentKey, descriptor number: Int32
    ) throws(StoreError) -> ContentFile {
        let file = try ContentFile(header, key, descriptor: number)
        let bytes = try mappedKeys(header.encoded(under: key))
        try bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
            try file.write(UnsafeRawBufferPointer(bytes), at: 0)
        }
        return file
    }

    /// Opens an existing file after comparing its header with `header`.
    ///
    /// - Throws: `.fileDamaged`.
    static func openVerified(
        _ header: ContentHeader, under key: borrowing ContentKey, descriptor number: Int32, at start: Int = 0
    ) throws(StoreError) -> ContentFile {
        let file = try ContentFile(header, key, descriptor: number, at: start)
        var bytes = [UInt8](repeating: 0, count: ContentHeader.byteCount)
        let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(StoreError) in
            try file.read(into: UnsafeMutableRawBufferPointer(bytes), at: start)
        }
        guard count == bytes.count, try mappedKeys(header.isEncoded(in: bytes, under: key)) else {
            throw .fileDamaged("the header of the content on the disk is damaged, or belongs to another file")
        }
        return file
    }

    /// The size of a slot, and so the size of the buffer for reading and writing chunks.
    var slotBytes: Int { chunkBytes + seal.cipher.overheadBytes }

    /// Returns the range of the plaintext within the bytes of a slot.
    func plaintextRange(_ plaintextBytes: Int) -> Range<Int> {
        seal.plaintextRange(sealedBytes: plaintextBytes + seal.cipher.overheadBytes)
    }

    /// Seals the plaintext at `plaintextRange` of the buffer and writes the sealed chunk, which is durable after
    /// `sync`.
    ///
    /// - Parameter buffer: has at least `slotBytes` bytes. Its content is overwritten.
    borrowing func write(
        _ plaintextBytes: Int, from buffer: UnsafeMutableRawBufferPointer, to slot: UInt64, as place: ChunkPlace
    ) throws(StoreError) {
        let sealed = sealedPart(of: buffer, plaintextBytes)
        seal.seal(sealed, at: place)
        try write(UnsafeRawBufferPointer(sealed), at: try offset(of: slot))
    }

    /// Reads and decrypts a chunk. Afterwards its plaintext is at `plaintextRange` of the buffer.
    ///
    /// - Throws: `.fileDamaged` if the slot does not contain this chunk as it was written.
    borrowing func read(
        _ plaintextBytes: Int, into buffer: UnsafeMutableRawBufferPointer, from slot: UInt64, as place: ChunkPlace
    ) throws(StoreError) {
        let isRead = try read(plaintextBytes, into: buffer, from: slot, as: place, mayWait: true)
        precondition(isRead, "a blocking read returned no bytes")
    }

    /// Reads and decrypts a chunk, optionally without waiting for the disk.
    ///
    /// - Returns: `false` if the chunk is not in the page cache and `mayWait` is false.
    borrowing func read(
        _ plaintextBytes: Int, into buffer: UnsafeMutableRawBufferPointer, from slot: UInt64, as place: ChunkPlace,
        mayWait: Bool
    ) throws(StoreError) -> Bool {
        let sealed = sealedPart(of: buffer, plaintextBytes)
        guard let count = try read(into: sealed, at: try offset(of: slot), mayWait: mayWait) else { return false }
        guard count == sealed.count, seal.open(sealed, at: place) else { throw Self.damaged(place) }
        return true
    }

    /// Reads a chunk and decrypts it into separate memory of the plaintext's size.
    ///
    /// - Parameters:
    ///   - buffer: memory for the sealed chunk.
    ///   - mayWait: if false, the chunk is read only if it is in the page cache.
    /// - Returns: `false` if the chunk is not in the page cache and `mayWait` is false.
    /// - Throws: the same errors as `read(_:into:from:as:)`.
    borrowing func read(
        into plaintext: UnsafeMutableRawBufferPointer, through buffer: UnsafeMutableRawBufferPointer,
        from slot: UInt64, as place: ChunkPlace, mayWait: Bool
    ) throws(StoreError) -> Bool {
        let sealed = sealedPart(of: buffer, plaintext.count)
        guard let count = try read(into: sealed, at: try offset(of: slot), mayWait: mayWait) else { return false }
        guard count == sealed.count, seal.open(sealed, into: plaintext, at: place) else { throw Self.damaged(place) }
        return true
    }

    private static func damaged(_ place: ChunkPlace) -> StoreError {
        .fileDamaged("chunk \(place.chunk) is missing or was changed")
    }

    /// Asks the kernel to start reading slots that lie within the file. Errors are ignored, because the later read
    /// reports them.
    borrowing func beginRead(of slots: Range<UInt64>) throws(StoreError) {
        let start = try offset(of: slots.lowerBound)
        posix_fadvise(descriptor.number, start, slots.count * slotBytes, POSIX_FADV_WILLNEED)
    }

    /// Asks the kernel to start writing, so that `sync` has less to wait for. Errors are ignored, because `sync`
    /// reports them.
    borrowing func beginWriteBack() {
        ghost_begin_write_back(descriptor.number)
    }

    /// Makes all writes durable.
    ///
    /// - Throws: `.storageFailed`; a later sync that succeeds does not prove that these writes are on the disk
    ///   (https://wiki.postgresql.org/wiki/Fsync_Errors).
    borrowing func sync() throws(StoreError) {
        guard fdatasync(descriptor.number) == 0 else {
            throw SystemFailure.error("a file of the vault cannot be synced to disk", errno)
        }
    }

    private func sealedPart(
        of buffer: UnsafeMutableRawBufferPointer, _ plaintextBytes: Int
    ) -> UnsafeMutableRawBufferPointer {
        let count = plaintextBytes + seal.cipher.overheadBytes
        precondition(plaintextBytes <= chunkBytes && count <= buffer.count, "a chunk must fit its slot and the buffer")
        return UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    }

    func offset(of slot: UInt64) throws(StoreError) -> Int {
        guard slot <= UInt64(Int.max / 2 / slotBytes) else {
            throw .databaseDamaged("a chunk of a file has an impossible position")
        }
        return start + ContentHeader.byteCount + Int(slot) * slotBytes
    }

    borrowing func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor.number, bytes, at: offset)
        } catch {
            throw SystemFailure.error("a file of the vault cannot be written", error.number)
        }
    }

    /// Returns the number of bytes read, or `nil` if some of them are not in the page cache and `mayWait` is false.
    private borrowing func read(
        into bytes: UnsafeMutableRawBufferPointer, at offset: Int, mayWait: Bool
    ) throws(StoreError) -> Int? {
        guard !mayWait else { return try read(into: bytes, at: offset) }
        let count = ghost_read_cached(descriptor.number, bytes.baseAddress, bytes.count, Int64(offset))
        return count == bytes.count ? count : nil
    }

    borrowing func read(
        into bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(StoreError) -> Int {
        do throws(SystemError) {
            return try FileDescriptorCalls.read(descriptor.number, into: bytes, at: offset)
        } catch {
            throw SystemFailure.error("a file of the vault cannot be read", error.number)
        }
    }
}

extension StoreError {
    /// Returns the error for a damaged vault file. All callers share its text. The rest of the store stays usable.
    static func fileDamaged(_ cause: String) -> StoreError {
        StoreError(.fileDamaged, "the file is damaged: \(cause); save it again, or get it from a backup")
    }

    static var contentMissing: StoreError { .fileDamaged("the content is missing from the disk") }
}
