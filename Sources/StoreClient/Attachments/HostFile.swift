import FoundationEssentials
import Glibc
import StoreBasics

/// An open regular file of this machine. Reading fails if the size of the file has changed since the file was opened.
final class HostFile: Sendable {
    private let descriptor: CInt
    private let path: String
    /// The size of the file in bytes when it was opened.
    let byteCount: Int

    /// Opens a file, and follows symbolic links to it.
    ///
    /// - Throws: `.invalidArgument` if the URL is no file URL, or if there is no regular file at the URL;
    ///   `.inputOutputFailed` if the file cannot be opened.
    init(_ url: URL) throws(StoreClientError) {
        guard url.isFileURL else {
            throw .invalidArgument("the URL does not name a file; hint: create it with URL(filePath:)")
        }
        let path = url.path(percentEncoded: false)
        self.path = StoreClientError.printable(path)
        do throws(SystemError) {
            // Without O_NONBLOCK, opening a named pipe would wait until a process writes to it.
            descriptor = try withoutInterruption { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
        } catch {
            throw StoreClientError("\(self.path) cannot be read", error)
        }
        var facts = stat()
        let isRegular = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
        byteCount = Int(facts.st_size)
        guard isRegular else { throw .invalidArgument("\(self.path) is not a regular file") }
    }

    deinit {
        close(descriptor)
    }

    /// Reads from an offset on.
    ///
    /// - Parameter byteCountMax: The largest number of bytes to read, above 0.
    /// - Returns: The bytes; none at the end of the file.
    /// - Throws: `.inputOutputFailed` if the file cannot be read, or its size changed since it was opened.
    func read(from offset: Int, byteCountMax: Int) throws(StoreClientError) -> [UInt8] {
        // At the expected end of the file, try to read one more byte, which shows whether the file became longer.
        let expected = min(byteCountMax, byteCount - offset)
        var bytes = [UInt8](repeating: 0, count: max(expected, 1))
        let count: Int
        do throws(SystemError) {
            count = try bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
                try FileDescriptorCalls.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            }
        } catch {
            throw StoreClientError("\(path) cannot be read", error)
        }
        guard count == expected else {
            throw StoreClientError(
                code: .aborted, reason: .inputOutputFailed,
                message: "\(path) became longer or shorter while it was read; hint: try again")
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
