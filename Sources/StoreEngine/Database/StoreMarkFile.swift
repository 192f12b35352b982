import Glibc
import SQLCipher
import StoreBasics
import StoreCrypto

/// The file `mark` of an open store. Used on the writer thread.
///
/// It is written in place after every commit and only synced before a log goes: what a crash of the power leaves is an
/// earlier mark, which asks for less. Nothing the store does depends on it, so a write that fails is not reported: the
/// next opening then tells less, or finds no mark.
final class StoreMarkFile {
    static let name = "mark"
    private static let temporaryName = "mark.new"

    private let descriptor: Int32
    private let key: AuthenticationKey
    private let logPath: String
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreMark.byteCount, alignment: 8)
    private var mark: StoreMark
    /// Of the log that the next commit goes to; `nil` while it may begin anew.
    private var salts: WriteAheadLogSalts?

    /// Goes on with the mark of a store that has just been opened, or makes one. One that is there stays as it is until
    /// the next commit: what an opening found to be missing is told again by the next, and opening changes nothing.
    ///
    /// - Parameter log: as it was found; the open database goes on with it.
    init(
        in directory: StateDirectory, under key: consuming AuthenticationKey, revision: UInt64, log: WriteAheadLogScan
    ) throws(StoreError) {
        mark = StoreMark(revision: revision)
        if let salts = log.salts, log.committedFrames > 0 {
            mark.neededLog = StoreMark.NeededLog(salts: salts, frames: UInt32(clamping: log.committedFrames))
            self.salts = salts
        }
        let borrowed = key
        let path = directory.mark
        if Self.find(path, under: borrowed).mark == nil {
            try Self.create(mark, in: directory, under: borrowed)
        }
        descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        logPath = directory.wal
        self.key = borrowed
        guard descriptor >= 0 else { throw SystemFailure.error("the store's mark cannot be opened", errno) }
    }

    deinit {
        if descriptor >= 0 {
            close(descriptor)
        }
        bytes.deallocate()
    }

    /// After each commit: everything up to the revision was made durable.
    func noteCommit(revision: UInt64, logFrames: Int) {
        mark.revision = revision
        if salts == nil {
            salts = WriteAheadLogSalts(logAt: logPath)
        }
        if let salts, logFrames > 0 {
            mark.neededLog = StoreMark.NeededLog(salts: salts, frames: UInt32(clamping: logFrames))
        }
        write()
    }

    func noteCheckpoint(isComplete: Bool) {
        salts = nil
        guard isComplete, mark.neededLog != nil else { return }
        mark.neededLog = nil
        write()
    }

    /// Before the log goes: after this no crash leaves a mark that asks for it.
    ///
    /// - Returns: false when that could not be made durable.
    func noteLogIsNotNeeded() -> Bool {
        noteCheckpoint(isComplete: true)
        return fdatasync(descriptor) == 0
    }

    private func write() {
        mark.write(to: bytes, under: key)
        try? FileDescriptorCalls.write(descriptor, UnsafeRawBufferPointer(bytes), at: 0)
    }
}

extension StoreMarkFile {
    enum Found {
        case mark(StoreMark)
        case none
        case foreign

        var mark: StoreMark? {
            if case .mark(let mark) = self { mark } else { nil }
        }
    }

    static func find(_ path: String, under key: borrowing AuthenticationKey) -> Found {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? .none : .foreign }
        defer { close(descriptor) }
        // One byte more, so that a file which grew is seen.
        var file = [UInt8](repeating: 0, count: StoreMark.byteCount + 1)
        let count = (try? file.withUnsafeMutableBytes { try FileDescriptorCalls.read(descriptor, into: $0) }) ?? 0
        file.removeLast(file.count - count)
        return StoreMark(file, under: key).map { .mark($0) } ?? .foreign
    }

    /// What a crash has left of `create`.
    static func removeLeftovers(in folder: StateDirectory) throws(StoreError) {
        try folder.remove(folder.path + "/" + temporaryName)
    }

    /// Puts a mark into a folder, durably and at once.
    static func create(
        _ mark: StoreMark, in folder: StateDirectory, under key: borrowing AuthenticationKey
    ) throws(StoreError) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreMark.byteCount, alignment: 8)
        defer { bytes.deallocate() }
        mark.write(to: bytes, under: key)
        let temporary = folder.path + "/" + temporaryName
        try folder.remove(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure.error("the store's mark cannot be made", errno) }
        defer { close(descriptor) }
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor, UnsafeRawBufferPointer(bytes))
            try withoutInterruption { fsync(descriptor) }
        } catch {
            unlink(temporary)
            throw SystemFailure.error("the store's mark cannot be made", error.number)
        }
        try folder.rename(temporary, to: folder.mark)
    }
}
