import Glibc
import StoreBasics

/// A file that appears either complete or not at all: it is written under another name in the same folder, synced and
/// renamed. Standard output, a pipe or a device can also be the destination; they receive bytes as soon as the program
/// writes them.
///
/// A new file has mode 0600 unless it is public, because the program writes personal data. Unless `commit` was called,
/// the file is removed when this value is destroyed, or when a signal ends the program.
struct OutputFile: ~Copyable {
    private enum Place {
        case file(path: String, UnfinishedFile)
        case stream(Int32)
    }

    /// Paths that always mean standard output.
    private static let standardOutputNames: Set<String> = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

    private let place: Place
    private let replacesExisting: Bool

    /// - Parameters:
    ///   - replacesExisting: False to fail if the name exists already.
    ///   - isPublic: True for mode 0644.
    init(_ path: String, replacesExisting: Bool, isPublic: Bool = false) throws(CommandFailure) {
        place = try Self.opened(path, replacesExisting: replacesExisting, isPublic: isPublic)
        self.replacesExisting = replacesExisting
    }

    private static func opened(
        _ path: String, replacesExisting: Bool, isPublic: Bool
    ) throws(CommandFailure) -> Place {
        if standardOutputNames.contains(path) {
            return .stream(ProgramRun.current.output)
        }
        if isStream(path) {
            let descriptor = try openStream(path)
            guard descriptor >= 0 else {
                throw CommandFailure(.cannotCreate, "cannot open \(path): \(SystemError.last)")
            }
            return .stream(descriptor)
        }
        guard replacesExisting || access(path, F_OK) != 0 else { throw isThereAlready(path) }
        do throws(SystemError) {
            let unfinished = try UnfinishedFile(FilePlacement.path(path, with: ".XXXXXX")) { mkstemp($0) }
            guard !isPublic || fchmod(unfinished.descriptor, 0o644) == 0 else { throw SystemError.last }
            return .file(path: path, unfinished)
        } catch {
            throw CommandFailure(.cannotCreate, "cannot create a new file in the folder of \(path): \(error)")
        }
    }

    /// Opens a pipe or device. Opening a pipe waits for its reader. In a shell, Ctrl-C must end this wait, so the
    /// function opens the pipe without waiting, and tries again until the pipe has a reader.
    private static func openStream(_ path: String) throws(CommandFailure) -> Int32 {
        let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY
        guard ShellInterrupts.areHeeded else { return open(path, flags) }
        while true {
            let descriptor = open(path, flags | O_NONBLOCK)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
            } else if errno == ENXIO {
                try ShellInterrupts.pause(milliseconds: 50)
                continue
            }
            return descriptor
        }
    }

    deinit {
        if case .stream(let descriptor) = place, !ProgramRun.current.isStandard(descriptor) {
            close(descriptor)
        }
    }

    var descriptor: Int32 {
        switch place {
        case .file(_, let unfinished): unfinished.descriptor
        case .stream(let descriptor): descriptor
        }
    }

    /// True if the destination is standard output. Messages about the file must then be written elsewhere.
    var isStandardOutput: Bool {
        descriptor == ProgramRun.current.output
    }

    /// Gives the file its name. When this returns, the file survives a power loss (fsync of the file and its
    /// directory).
    func commit() throws(CommandFailure) {
        guard case .file(let path, let unfinished) = place else { return }
        guard fsync(unfinished.descriptor) == 0 else { throw Self.cannotFinish(path, .last) }
        try renameIntoPlace(path, unfinished.path)
        unfinished.keep()
        try FilePlacement.syncFolder(of: path)
    }

    /// Renames the file. A file that appeared at the path in the meantime stays, unless it may be replaced.
    private func renameIntoPlace(_ path: String, _ temporaryPath: String) throws(CommandFailure) {
        if !replacesExisting {
            do throws(SystemError) {
                return try FilePlacement.rename(temporaryPath, toFree: path)
            } catch {
                guard error.number != EEXIST else { throw Self.isThereAlready(path) }
                guard FilePlacement.isUnsupportedRename(error) else { throw Self.cannotFinish(path, error) }
                // This file system has no rename that fails if the name exists, so the `rename` below would replace a
                // file. No file had this name when writing began, but one may have appeared since.
                guard access(path, F_OK) != 0 else { throw Self.isThereAlready(path) }
            }
        }
        guard rename(temporaryPath, path) == 0 else { throw Self.cannotFinish(path, .last) }
    }

    private static func isStream(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && [S_IFIFO, S_IFCHR].contains(facts.st_mode & S_IFMT)
    }

    private static func cannotFinish(_ path: String, _ error: SystemError) -> CommandFailure {
        CommandFailure(.inputOutput, "cannot write \(path): \(error)")
    }

    private static func isThereAlready(_ path: String) -> CommandFailure {
        CommandFailure(.cannotCreate, "\(path) exists already; hint: give another name")
    }
}
