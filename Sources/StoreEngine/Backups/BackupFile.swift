import Glibc
import StoreBasics

/// An open backup file. Offsets and counts are in bytes.
struct BackupFile: ~Copyable {
    enum Mode {
        case read
        case update
        /// Creates the file. Fails if it exists.
        case create
    }

    private let descriptor: Int32

    /// - Throws: `.storageFailed`, also for a path that is not a regular file; `.diskFull`.
    init(_ path: String, _ mode: Mode) throws(StoreError) {
        let flags: Int32 =
            switch mode {
            case .read: O_RDONLY
            case .update: O_RDWR
            case .create: O_RDWR | O_CREAT | O_EXCL
            }
        // O_NONBLOCK: opening a pipe in place of the file must not wait.
        descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw SystemFailure.error("a backup file cannot be opened", errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            // The deinitializer closes the descriptor, also if the initializer throws from here on.
            throw StoreError(.storageFailed, "a backup is not a regular file")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Returns another descriptor of the file, which the caller has to close.
    borrowing func duplicate() throws(StoreError) -> Int32 {
        let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw SystemFailure.error("a backup file cannot be opened", errno) }
        return number
    }

    borrowing func size() throws(StoreError) -> UInt64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw SystemFailure.error("a backup file cannot be examined", errno)
        }
        return UInt64(max(0, status.st_size))
    }

    /// Returns up to `count` bytes, fewer only at the end of the file.
    borrowing func read(_ count: Int, at offset: UInt64) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try read(into: &bytes, count: count, at: offset)
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Passes the first `count` bytes of the file to `body`, in parts.
    ///
    /// - Throws: `.backupDamaged` if the file is shorter; the errors of `body`.
    borrowing func forEachPiece(
        ofFirst count: UInt64, _ body: (UnsafeRawBufferPointer, UInt64) throws(StoreError) -> Void
    ) throws(StoreError) {
        var buffer = [UInt8](repeating: 0, count: BackupLimits.bufferBytes)
        var offset: UInt64 = 0
        while offset < count {
            let wanted = Int(min(UInt64(buffer.count), count - offset))
            guard try read(into: &buffer, count: wanted, at: offset) == wanted else {
                throw .backupDamaged("the file became shorter while it was read")
            }
            try buffer.withUnsafeBufferPointer { bytes throws(StoreError) in
                try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<wanted])), offset)
            }
            offset += UInt64(wanted)
        }
    }

    borrowing func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(StoreError) {
        let position = try Self.position(offset, plus: bytes.count) - bytes.count
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor, bytes, at: position)
        } catch {
            throw SystemFailure.error("a backup cannot be written", error.number)
        }
    }

    borrowing func write(_ bytes: [UInt8], at offset: UInt64) throws(StoreError) {
        try bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
            try write(UnsafeRawBufferPointer(bytes), at: offset)
        }
    }

    borrowing func truncate(to count: UInt64) throws(StoreError) {
        guard ftruncate(descriptor, off_t(try Self.position(count, plus: 0))) == 0 else {
            throw SystemFailure.error("the incomplete last part of a backup cannot be removed", errno)
        }
    }

    borrowing func sync() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw SystemFailure.error("a backup cannot be synced to disk", errno) }
    }

    private borrowing func read(
        into buffer: inout [UInt8], count: Int, at offset: UInt64
    ) throws(StoreError) -> Int {
        let position = try Self.position(offset, plus: count) - count
        do throws(SystemError) {
            return try buffer.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
                let part = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[..<count]))
                return try FileDescriptorCalls.read(descriptor, into: part, at: position)
            }
        } catch {
            throw SystemFailure.error("a backup cannot be read", error.number)
        }
    }

    /// Adds an offset and a number of bytes.
    ///
    /// - Throws: `.invalidArgument` if the sum is too large for a file.
    private static func position(_ offset: UInt64, plus count: Int) throws(StoreError) -> Int {
        let (sum, overflow) = offset.addingReportingOverflow(UInt64(count))
        guard !overflow, let position = Int(exactly: sum) else {
            throw .invalidArgument("the offset \(offset) is too large for a file")
        }
        return position
    }
}

extension StoreError {
    static func backupDamaged(_ cause: String) -> StoreError {
        StoreError(.backupDamaged, "the backup is damaged: \(cause); use another backup")
    }
}
