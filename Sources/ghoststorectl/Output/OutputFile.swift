import Glibc
import StoreBasics

/// A file that appears whole or not at all: written beside its place under another name, synced, renamed.
///
/// Of mode 0600: what is written here is somebody's data. Removed at the end of its life unless `commit` was called.
struct OutputFile: ~Copyable {
    let descriptor: Int32
    private let path: String
    private let replacesExisting: Bool
    private let temporaryPath: String
    private var isCommitted = false

    /// - Parameter replacesExisting: false refuses when something has the name already.
    init(_ path: String, replacesExisting: Bool) throws(CommandFailure) {
        guard replacesExisting || access(path, F_OK) != 0 else { throw Self.isThereAlready(path) }
        var template = Array("\(path).XXXXXX".utf8CString)
        let descriptor = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { mkstemp($0) } ?? -1
        }
        guard descriptor >= 0 else {
            throw CommandFailure(
                .cannotCreate, "cannot create a file beside \(path): \(SystemError.last)")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        self.path = path
        self.replacesExisting = replacesExisting
        temporaryPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        close(descriptor)
        if !isCommitted {
            unlink(temporaryPath)
        }
    }

    /// Puts the file in its place; when this returns it survives a power loss (fsync of the file and its directory).
    mutating func commit() throws(CommandFailure) {
        guard fsync(descriptor) == 0 else { throw cannotFinish(.last) }
        try takePlace()
        isCommitted = true
        let directory = open(Self.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        defer { close(directory) }
        guard fsync(directory) == 0 else {
            throw CommandFailure(
                .inputOutput, "cannot sync the directory of \(path): \(SystemError.last)")
        }
    }

    /// What came to the place while the file was written stays, unless it may be replaced.
    private func takePlace() throws(CommandFailure) {
        if !replacesExisting {
            if link(temporaryPath, path) == 0 {
                unlink(temporaryPath)
                return
            }
            if errno == EEXIST {
                throw Self.isThereAlready(path)
            }
            // A file system without hard links.
        }
        guard rename(temporaryPath, path) == 0 else { throw cannotFinish(.last) }
    }

    private func cannotFinish(_ error: SystemError) -> CommandFailure {
        CommandFailure(.inputOutput, "cannot finish \(path): \(error)")
    }

    private static func isThereAlready(_ path: String) -> CommandFailure {
        CommandFailure(.cannotCreate, "\(path) is there already; hint: give another name or --force")
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// Buffered writing to a descriptor. Used from one task at a time; `flush` before the process ends.
final class DescriptorWriter {
    /// Bytes gathered before a write.
    private static let bufferBytes = 64 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(descriptor: Int32) {
        self.descriptor = descriptor
        buffer.reserveCapacity(Self.bufferBytes)
    }

    func write(_ text: String) throws(CommandFailure) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.bufferBytes {
            try flush()
        }
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferBytes {
            try flush()
        }
    }

    func flush() throws(CommandFailure) {
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor, buffer)
        } catch {
            throw error.number == EPIPE
                ? .brokenPipe : CommandFailure(.inputOutput, "cannot write the output: \(error)")
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
