import Glibc
import StoreBasics

/// The file of one segment: `journal/0`, `journal/1` and so on. Its name says nothing of what is in it: files are used
/// again in whatever order they become free, so that writing to one changes nothing but its bytes.
///
/// Used with the writer's seat, and by whoever opens the store.
final class SegmentFile {
    let slot: Int
    private let descriptor: Int32
    /// It never shrinks while it is in use.
    private(set) var byteCount: Int
    /// Everything in it was synced by this process.
    private var isSynced = false

    /// Opens a file that is there.
    init(_ folder: JournalFolder, slot: Int) throws(StoreError) {
        let opened = open(folder.path(of: slot), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { throw SystemFailure.error("\(JournalFolder.name)/\(slot) cannot be opened", errno) }
        self.slot = slot
        descriptor = opened
        var status = stat()
        byteCount = fstat(opened, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Makes a file of zeros, durable under its name: what is overwritten later changes no metadata.
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

    /// Before anything is written to a file that was found: whoever made it may have been killed before its zeros were
    /// durable, and a header that is on the disk before them is that of a segment which was cut off.
    func makeFoundDurable() throws(StoreError) {
        if !isSynced {
            try sync()
        }
    }

    /// Makes what was written durable.
    ///
    /// - Throws: an error that loses durability.
    func sync() throws(StoreError) {
        do throws(SystemError) {
            try withoutInterruption { fdatasync(descriptor) }
            isSynced = true
        } catch {
            throw .durabilityLost("the journal could not be written to disk: \(error); check the device")
        }
    }

    /// - Returns: as many bytes as the file has at `range`.
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

    /// Whoever opens the store from here on finds no segment in the file, and nobody can open what was in it: the salt
    /// of its key is gone.
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

    /// Makes the folder if it is not there. It and what is in it have durable names then: whoever made them may have
    /// been killed before that.
    init(in state: StateDirectory) throws(StoreError) {
        isNew = access(state.path + "/" + Self.name, F_OK) != 0
        directory = try state.folder(Self.name)
        try state.sync()
        try directory.sync()
    }

    /// Removes the folder if this value has made it and nothing is in it. A store whose journal is missing stays
    /// closed, and whoever puts the journal back moves it to this name.
    func removeIfNew() {
        if isNew {
            _ = rmdir(directory.path)
        }
    }

    func path(of slot: Int) -> String { directory.path + "/\(slot)" }

    func sync() throws(StoreError) {
        try directory.sync()
    }

    /// The files that are there, in the order of their numbers.
    func slots() throws(StoreError) -> [Int] {
        try directory.fileNames().compactMap { name in
            Int(name).flatMap { $0 >= 0 && "\($0)" == name ? $0 : nil }
        }.sorted()
    }

    /// Of a journal that is given up: erased first, so that nobody can open what is left on the disk.
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
