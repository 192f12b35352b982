import Glibc
import StoreBasics

/// A file to read, or standard input for `-`. Closed at the end of its life.
struct InputFile: ~Copyable {
    let descriptor: Int32
    /// What messages call it.
    let name: String
    /// `nil` for what has no size of its own: a pipe, a terminal.
    let bytes: UInt64?

    init(_ path: String) throws(CommandFailure) {
        let descriptor = path == "-" ? try StandardInput.take() : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw CommandFailure(.noInput, "cannot open \(path): \(SystemError.last)") }
        try self.init(descriptor: descriptor, path)
    }

    /// - Parameter descriptor: closed by this unless it is one of the standard ones.
    init(descriptor: Int32, _ path: String) throws(CommandFailure) {
        var facts = stat()
        let isRead = fstat(descriptor, &facts) == 0
        guard isRead, facts.st_mode & S_IFMT != S_IFDIR else {
            if descriptor > STDERR_FILENO {
                close(descriptor)
            }
            guard isRead else { throw CommandFailure(.noInput, "\(path) cannot be looked at") }
            throw CommandFailure(
                .noInput,
                "\(path) is a directory; hint: a file is wanted, or an option for folders, --recursive or --json-lines")
        }
        self.descriptor = descriptor
        name = path == "-" ? "standard input" : path
        bytes = facts.st_mode & S_IFMT == S_IFREG ? UInt64(clamping: facts.st_size) : nil
    }

    deinit {
        if descriptor > STDERR_FILENO {
            close(descriptor)
        }
    }

    /// Everything in it.
    /// - Parameter bytesMax: more than that is refused.
    borrowing func readAll(bytesMax: Int) throws(CommandFailure) -> [UInt8] {
        var content: [UInt8] = []
        do throws(SystemError) {
            while content.count <= bytesMax,
                try FileDescriptorCalls.readSome(descriptor, appendingTo: &content, bytesMax: 64 << 10)
            {}
        } catch {
            throw CommandFailure(.inputOutput, "cannot read \(name): \(error)")
        }
        guard content.count <= bytesMax else {
            throw CommandFailure(.badData, "\(name) is longer than \(Quantity.bytes(UInt64(bytesMax)))")
        }
        return content
    }

    /// Up to so many bytes; fewer only at the end.
    borrowing func readChunk(bytes wanted: Int) throws(CommandFailure) -> [UInt8] {
        var chunk: [UInt8] = []
        // Memory that is not needed costs time all the same: most files are small.
        var expected = bytes.map { Int(clamping: $0) + 1 } ?? wanted
        do throws(SystemError) {
            while chunk.count < wanted,
                try FileDescriptorCalls.readSome(
                    descriptor, appendingTo: &chunk, bytesMax: min(expected, wanted - chunk.count))
            {
                expected = max(expected - chunk.count, 64 << 10)
            }
        } catch {
            throw CommandFailure(.inputOutput, "cannot read \(name): \(error)")
        }
        return chunk
    }
}
