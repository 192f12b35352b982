import Glibc
import StoreBasics

/// The file of one segment: `journal/0`, `journal/1` and so on. The name does not depend on the content: files are
/// reused in the order in which they become free, so that writing a segment changes only the bytes of a file and no
/// metadata.
///
/// Only the thread that holds the writer lock, or the code that opens the store, may use it.
final class SegmentFile {
    let slot: Int
    private let descriptor: Int32
    /// The size of the file. It never shrinks while the file is in use.
    private(set) var byteCount: Int
    /// True if this process has synced all content of the file.
    private var isSynced = false

    /// Opens an existing file.
    init(_ folder: JournalFolder, slot: Int) throws(StoreError) {
        let opened = open(folder.path(of: slot), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { throw SystemFailure.error("\(JournalFolder.name)/\(slot) cannot be opened", errno) }
        self.slot = slot
        descriptor = opened
        var status = stat()
        byteCount = fstat(opened, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Creates a file of zeros whose name is durable. Overwriting it later changes no metadata.
    init(making slot: Int, byteCount: Int, in folder: JournalFolder) throws(StoreError) {
        let path = folder.path(of: slot)
        let opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw SystemFailure.error("a segment of the journal cannot be created", errno) }
        self.slot = slot
        descriptor = opened
        self.byteCount = byteCount
        do throws(StoreError) {
            try fill()
            try folder.sync()
        } catch {
            unlink(path)
            throw error
        }
    }

    deinit {
        close(descriptor)
    }

    private func fill() throws(StoreError) {
        let zeros = [UInt8](repeating: 0, count: min(byteCount, 256 << 10))
        do throws(SystemError) {
            var offset = 0
            while offset < byteCount {
                let count = min(zeros.count, byteCount - offset)
                try zeros.withUnsafeBufferPointer { bytes throws(SystemError) in
                    try FileDescriptorCalls.write(
                        descriptor, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])), at: offset)
                }
                offset += count
            }
            try withoutInterruption { fsync(descriptor) }
            isSynced = true
        } catch {
            throw SystemFailure.error("a segment of the journal cannot be created", error.number)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor, bytes, at: offset)
        } catch {
            throw SystemFailure.error("the journal cannot be written", error.number)
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        try bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
            try write(UnsafeRawBufferPointer(bytes), at: offset)
        }
    }

    /// Syncs an existing file before its first use. The process that created it may have been killed before the zeros
    /// were durable. If a header reached the disk before the zeros, the segment would look truncated.
    func makeFoundDurable() throws(StoreError) {
        if !isSynced {
            try sync()
        }
    }

    /// Makes all writes to the file durable.
    ///
    /// - Throws: an error with `losesDurability`.
    func sync() throws(StoreError) {
        do throws(SystemError) {
            try withoutInterruption { fdatasync(descriptor) }
            isSynced = true
        } catch {
            throw .durabilityLost("the journal could not be written to disk: \(error); check the device")
        }
    }

    /// Returns the bytes of `range`; fewer if the file is shorter.
    func read(_ range: Range<Int>) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        do throws(SystemError) {
            let count = try bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
                try FileDescriptorCalls.read(
                    descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
            }
            bytes.removeLast(bytes.count - count)
        } catch {
            throw SystemFailure.error("\(JournalFolder.name)/\(slot) cannot be read", error.number)
        }
        return bytes
    }

    /// Erases the header, so that the next opening finds no segment in the file. The records can no longer be
    /// decrypted, because the salt of their key is gone.
    func erase(synced: Bool) throws(StoreError) {
        try write([UInt8](repeating: 0, count: SegmentHeader.byteCount), at: 0)
        if synced {
            try sync()
        }
    }
}

/// The folder `journal` of a state directory.
struct JournalFolder {
    static let name = "journal"

    private let directory: StateDirectory
    private let isNew: Bool

    /// Creates the folder if it is missing. Syncs the state directory and the folder in any case, because the process
    /// that created them may have been killed before their names were durable.
    init(in state: StateDirectory) throws(StoreError) {
        isNew = access(state.path + "/" + Self.name, F_OK) != 0
        directory = try state.folder(Self.name)
        try state.sync()
        try directory.sync()
    }

    /// Removes the folder if this value created it and it is empty. Called if the store cannot be opened, for example
    /// because its journal is missing. If the empty folder stayed, `mv` would move a restored journal folder into it
    /// instead of replacing it.
    func removeIfNew() {
        if isNew {
            _ = rmdir(directory.path)
        }
    }

    func path(of slot: Int) -> String { directory.path + "/\(slot)" }

    func sync() throws(StoreError) {
        try directory.sync()
    }

    /// Returns the numbers of the existing files in ascending order.
    func slots() throws(StoreError) -> [Int] {
        try directory.fileNames().compactMap { name in
            Int(name).flatMap { $0 >= 0 && "\($0)" == name ? $0 : nil }
        }.sorted()
    }

    /// Removes all files of a journal that is no longer used. Erases them first, so that their remains on the disk
    /// cannot be decrypted.
    func removeAll() throws(StoreError) {
        for slot in try slots() {
            try SegmentFile(self, slot: slot).erase(synced: true)
            try remove(slot)
        }
        try sync()
    }

    func remove(_ slot: Int) throws(StoreError) {
        try directory.remove(path(of: slot))
    }
}
