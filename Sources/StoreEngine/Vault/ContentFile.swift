import CLinuxShims
import Glibc
import StoreBasics
import StoreCrypto

/// The open file of one content: a header, then slots of one sealed chunk each. Which chunk is in which slot, and of
/// which write, is what the database says and the file does not know.
struct ContentFile: ~Copyable, Sendable {
    let chunkBytes: Int
    private let seal: ChunkSeal
    let descriptor: OwnedDescriptor
    /// Where in the host file it begins: above 0 within a backup, where it is only read.
    private let start: Int

    /// - Parameter number: of a descriptor for reading and writing, which is this value's from here on.
    private init(
        _ header: ContentHeader, _ key: borrowing ContentKey, descriptor number: Int32, at start: Int = 0
    ) throws(StoreError) {
        let owned = OwnedDescriptor(owning: number)
        self.start = start
        seal = try mappedKeys(ChunkSeal(header.cipher, of: header.id, under: key))
        descriptor = owned
        chunkBytes = Int(header.chunkBytes)
    }

    /// Writes the header of a new file.
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

    /// Compares the header of a file that is there.
    ///
    /// - Throws: `.fileDamaged`.
    static func take(
        _ header: ContentHeader, under key: borrowing ContentKey, descriptor number: Int32, at start: Int = 0
    ) throws(StoreError) -> ContentFile {
        let file = try ContentFile(header, key, descriptor: number, at: start)
        var bytes = [UInt8](repeating: 0, count: ContentHeader.byteCount)
        let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(StoreError) in
            try file.read(into: UnsafeMutableRawBufferPointer(bytes), at: start)
        }
        guard count == bytes.count, try mappedKeys(header.isEncoded(in: bytes, under: key)) else {
            throw .fileDamaged("the content on the disk belongs to another file")
        }
        return file
    }

    /// What a buffer for the chunks of the file needs.
    var slotBytes: Int { chunkBytes + seal.cipher.overheadBytes }

    /// Where in a slot's bytes the plaintext of a chunk stands.
    func plaintextRange(_ plaintextBytes: Int) -> Range<Int> {
        seal.plaintextRange(sealedBytes: plaintextBytes + seal.cipher.overheadBytes)
    }

    /// Seals the plaintext that stands at `plaintextRange` of the buffer, and writes it. Durable after `sync`.
    ///
    /// - Parameter buffer: `slotBytes` or more; what was in it is gone.
    borrowing func write(
        _ plaintextBytes: Int, from buffer: UnsafeMutableRawBufferPointer, to slot: UInt64, as place: ChunkPlace
    ) throws(StoreError) {
        let sealed = sealedPart(of: buffer, plaintextBytes)
        seal.seal(sealed, at: place)
        try write(UnsafeRawBufferPointer(sealed), at: try offset(of: slot))
    }

    /// Reads a chunk and leaves its plaintext at `plaintextRange` of the buffer.
    ///
    /// - Throws: `.fileDamaged` where the slot does not hold this chunk as it was written.
    borrowing func read(
        _ plaintextBytes: Int, into buffer: UnsafeMutableRawBufferPointer, from slot: UInt64, as place: ChunkPlace
    ) throws(StoreError) {
        let isRead = try read(plaintextBytes, into: buffer, from: slot, as: place, mayWait: true)
        precondition(isRead, "a blocking read returned no bytes")
    }

    /// The same where it may be unwelcome to wait for the disk.
    ///
    /// - Returns: false where it would have to be read from the disk, and may not be.
    borrowing func read(
        _ plaintextBytes: Int, into buffer: UnsafeMutableRawBufferPointer, from slot: UInt64, as place: ChunkPlace,
        mayWait: Bool
    ) throws(StoreError) -> Bool {
        let sealed = sealedPart(of: buffer, plaintextBytes)
        guard let count = try read(into: sealed, at: try offset(of: slot), mayWait: mayWait) else { return false }
        guard count == sealed.count, seal.open(sealed, at: place) else { throw Self.damaged(place) }
        return true
    }

    /// Reads a chunk and leaves its plaintext in memory of its size.
    ///
    /// - Parameters:
    ///   - buffer: for what is sealed.
    ///   - mayWait: whether it may be read from the disk.
    /// - Returns: false where it would have to be read from the disk, and may not be.
    /// - Throws: as `read(_:into:from:as:)`.
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

    /// Has the disk begin to read slots, as far as it lies within the file. What fails here reading tells.
    borrowing func beginRead(of slots: Range<UInt64>) throws(StoreError) {
        let start = try offset(of: slots.lowerBound)
        posix_fadvise(descriptor.number, start, slots.count * slotBytes, POSIX_FADV_WILLNEED)
    }

    /// Has the disk begin with what was written, so that `sync` has less to wait for. What fails here `sync` tells.
    borrowing func beginWriteBack() {
        ghost_begin_write_back(descriptor.number)
    }

    /// Makes what was written durable.
    ///
    /// - Throws: `.storageFailed`; a second try proves nothing (https://wiki.postgresql.org/wiki/Fsync_Errors).
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

    /// - Returns: `nil` where some of it is not in memory and may not be waited for.
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
    /// The one message for damage to a file of the vault: the rest of the store is as usable as before.
    static func fileDamaged(_ cause: String) -> StoreError {
        StoreError(.fileDamaged, "the file is damaged: \(cause); restore it from a backup")
    }

    static var contentMissing: StoreError { .fileDamaged("the content is missing from the disk") }
}
