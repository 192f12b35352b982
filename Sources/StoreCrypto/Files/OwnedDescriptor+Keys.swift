import Glibc
import StoreBasics

/// File operations for keyrings and key files. The messages of their errors contain the file's name.
extension OwnedDescriptor {
    /// Opens a directory, so that its files can be opened by names relative to it.
    static func directory(_ path: String) throws(CryptoError) -> OwnedDescriptor {
        // The operator chose the path, so symbolic links in it are followed. Symbolic links inside the directory are
        // not followed.
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .system("open the directory \(path)", errno: errno) }
        return OwnedDescriptor(owning: number)
    }

    /// Returns the status of a regular file; `nil` if it is not a regular file.
    borrowing func regularFileStatus(_ name: String) throws(CryptoError) -> stat? {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .system("examine \(name)", errno: errno) }
        return status.st_mode & S_IFMT == S_IFREG ? status : nil
    }

    /// Reads until the buffer is full or the file ends, and returns the number of bytes.
    borrowing func read(into buffer: UnsafeMutableRawBufferPointer, _ name: String) throws(CryptoError) -> Int {
        do throws(SystemError) {
            return try FileDescriptorCalls.read(number, into: buffer)
        } catch {
            throw .system("read \(name)", error)
        }
    }

    borrowing func write(_ bytes: UnsafeRawBufferPointer, _ name: String) throws(CryptoError) {
        do throws(SystemError) {
            try FileDescriptorCalls.write(number, bytes)
        } catch {
            throw .system("write \(name)", error)
        }
    }

    /// Syncs the file. A failure is final: the kernel may have dropped the unwritten data. Therefore the success of a
    /// second sync proves nothing (https://wiki.postgresql.org/wiki/Fsync_Errors).
    borrowing func synchronize(_ name: String) throws(CryptoError) {
        guard fsync(number) == 0 else { throw .system("sync \(name) to disk", errno: errno) }
    }
}
