import Glibc
import StoreBasics

/// A file to read, or standard input for `-`. The value's deinitializer closes it.
struct InputFile: ~Copyable {
    let descriptor: Int32
    /// The name of the input in error messages.
    let name: String
    /// The size; `nil` for an input without a size, such as a pipe or a terminal.
    let bytes: UInt64?
    /// True if another program may be writing the input. If that program fails, the input may be empty.
    private let isFromProgram: Bool

    init(_ path: String) throws(CommandFailure) {
        try self.init(descriptor: path == "-" ? try StandardInput.claim() : try Self.open(path), path)
    }

    private static func open(_ path: String) throws(CommandFailure) -> Int32 {
        try StandardInput.refuseShells(path)
        // In a shell, opening a pipe must not wait for its other end, because Ctrl-C could not end that wait. The first
        // read waits instead, and Ctrl-C ends it.
        let isInShell = ShellInterrupts.areHeeded
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (isInShell ? O_NONBLOCK : 0))
        guard descriptor >= 0 else { throw CommandFailure(.noInput, "cannot open \(path): \(SystemError.last)") }
        if isInShell {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        }
        return descriptor
    }

    /// - Parameter descriptor: Closed when the value is destroyed, unless it is one of the standard descriptors.
    init(descriptor: Int32, _ path: String) throws(CommandFailure) {
        var facts = stat()
        let isRead = fstat(descriptor, &facts) == 0
        guard isRead, facts.st_mode & S_IFMT != S_IFDIR else {
            if !ProgramRun.current.isStandard(descriptor) {
                close(descriptor)
            }
            guard isRead else { throw CommandFailure(.noInput, "cannot examine \(path)") }
            throw CommandFailure(
                .noInput,
                "\(path) is a directory; hint: name a file; for directories some commands have --recursive or "
                    + "--json-lines")
        }
        self.descriptor = descriptor
        name = path == "-" ? "standard input" : path
        let kind = facts.st_mode & S_IFMT
        bytes = kind == S_IFREG ? UInt64(clamping: facts.st_size) : nil
        isFromProgram = path == "-" || kind == S_IFIFO || kind == S_IFSOCK
    }

    deinit {
        if !ProgramRun.current.isStandard(descriptor) {
            close(descriptor)
        }
    }

    /// Waits for input and appends some of it to the array.
    ///
    /// - Returns: False at the end of the input.
    private borrowing func readSome(appendingTo bytes: inout [UInt8], bytesMax: Int) throws(CommandFailure) -> Bool {
        try ShellInterrupts.wait(for: descriptor)
        do throws(SystemError) {
            return try FileDescriptorCalls.readSome(descriptor, appendingTo: &bytes, bytesMax: bytesMax)
        } catch {
            throw CommandFailure(.inputOutput, "cannot read \(name): \(error)")
        }
    }

    /// Returns the whole input.
    ///
    /// - Parameter bytesMax: The largest accepted input.
    borrowing func readAll(bytesMax: Int) throws(CommandFailure) -> [UInt8] {
        var content: [UInt8] = []
        while content.count <= bytesMax, try readSome(appendingTo: &content, bytesMax: 64 << 10) {}
        guard content.count <= bytesMax else {
            throw CommandFailure(.badData, "\(name) is longer than \(Quantity.bytes(UInt64(bytesMax)))")
        }
        return content
    }

    /// Returns whether the input ended without a byte, perhaps because the program that writes it failed.
    ///
    /// - Parameter first: The beginning of the input.
    borrowing func isSuspiciouslyEmpty(_ first: [UInt8]) -> Bool {
        isFromProgram && first.isEmpty
    }

    /// Rejects an input that ended without a byte and would replace something.
    ///
    /// - Parameter hint: What to do if the input is meant to be empty.
    borrowing func refuseEmpty(
        _ first: [UInt8], hint: String = EmptyInputOptions.hint
    ) throws(CommandFailure) {
        guard isSuspiciouslyEmpty(first) else { return }
        throw EmptyInputOptions.refusal(of: name, hint: hint)
    }

    /// Returns the next bytes, fewer than wanted only at the end.
    borrowing func readChunk(bytes wanted: Int) throws(CommandFailure) -> [UInt8] {
        var chunk: [UInt8] = []
        // The first read reserves memory only for the size of the file, because reserving more takes time and most
        // files are small.
        var expected = bytes.map { Int(clamping: $0) + 1 } ?? wanted
        while chunk.count < wanted,
            try readSome(appendingTo: &chunk, bytesMax: min(expected, wanted - chunk.count))
        {
            expected = max(expected - chunk.count, 64 << 10)
        }
        return chunk
    }
}
