import Glibc
import StoreBasics

/// A file to read, or standard input for `-`. Closed at the end of its life.
struct InputFile: ~Copyable {
    let descriptor: Int32
    /// What messages call it.
    let name: String
    /// `nil` for what has no size of its own: a pipe, a terminal.
    let bytes: UInt64?
    /// True if another program may be writing the input. Standard input and pipes are empty if that program fails.
    private let isFromProgram: Bool

    init(_ path: String) throws(CommandFailure) {
        try self.init(descriptor: path == "-" ? try StandardInput.take() : try Self.open(path), path)
    }

    private static func open(_ path: String) throws(CommandFailure) -> Int32 {
        try StandardInput.refuseShells(path)
        // A shell waits for the other end of a pipe where Ctrl-C is heeded.
        let isInShell = ShellInterrupts.areHeeded
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (isInShell ? O_NONBLOCK : 0))
        guard descriptor >= 0 else { throw CommandFailure(.noInput, "cannot open \(path): \(SystemError.last)") }
        if isInShell {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        }
        return descriptor
    }

    /// - Parameter descriptor: closed by this unless it is one of the standard ones.
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

    /// Waits for some of it, and puts that behind what the array holds.
    ///
    /// - Returns: false at the end.
    private borrowing func readSome(appendingTo bytes: inout [UInt8], bytesMax: Int) throws(CommandFailure) -> Bool {
        try ShellInterrupts.wait(for: descriptor)
        do throws(SystemError) {
            return try FileDescriptorCalls.readSome(descriptor, appendingTo: &bytes, bytesMax: bytesMax)
        } catch {
            throw CommandFailure(.inputOutput, "cannot read \(name): \(error)")
        }
    }

    /// Everything in it.
    /// - Parameter bytesMax: more than that is refused.
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
    /// - Parameter first: what was read of it.
    borrowing func isSuspiciouslyEmpty(_ first: [UInt8]) -> Bool {
        isFromProgram && first.isEmpty
    }

    /// Refuses an input that ended without a byte and would replace something.
    ///
    /// - Parameter hint: What to do if the input is meant to be empty.
    borrowing func refuseEmpty(
        _ first: [UInt8], hint: String = EmptyInputOptions.hint
    ) throws(CommandFailure) {
        guard isSuspiciouslyEmpty(first) else { return }
        throw EmptyInputOptions.refusal(of: name, hint: hint)
    }

    /// Up to so many bytes; fewer only at the end.
    borrowing func readChunk(bytes wanted: Int) throws(CommandFailure) -> [UInt8] {
        var chunk: [UInt8] = []
        // Memory that is not needed costs time all the same: most files are small.
        var expected = bytes.map { Int(clamping: $0) + 1 } ?? wanted
        while chunk.count < wanted,
            try readSome(appendingTo: &chunk, bytesMax: min(expected, wanted - chunk.count))
        {
            expected = max(expected - chunk.count, 64 << 10)
        }
        return chunk
    }
}
