import Glibc
import StoreBasics

/// Calls of the keyring's and key's files, whose failures name the file.
extension OwnedDescriptor {
    /// A directory, for names relative to it.
    static func directory(_ path: String) throws(CryptoError) -> OwnedDescriptor {
        // The path is the operator's own, so links within it are followed: only files below it are not.
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .system("open the directory \(path)", errno: errno) }
        return OwnedDescriptor(owning: number)
    }

    /// The status of a regular file; `nil` when it is anything else.
    borrowing func regularFileStatus(_ name: String) throws(CryptoError) -> stat? {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .system("examine \(name)", errno: errno) }
        return status.st_mode & S_IFMT == S_IFREG ? status : nil
    }

    /// Reads until the buffer is full or the file ends, and answers how much that was.
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

    /// A failure is final: what was not written may be gone from memory too, and a second try proves nothing
    /// (https://wiki.postgresql.org/wiki/Fsync_Errors).
    borrowing func synchronize(_ name: String) throws(CryptoError) {
        guard fsync(number) == 0 else { throw .system("sync \(name) to disk", errno: errno) }
    }
}
