import Glibc
import StoreBasics
import YAMLReading

/// The configuration file of ghoststorectl in a person's home.
enum ClientDefaultsFile {
    private static let bytesMax = 64 << 10

    private enum Key: String, CaseIterable {
        case socket
        case format
        case pager
        case times
        case wide
        case progress
    }

    private struct Problem: Error {
        let cause: String
    }

    /// The path; `nil` without a home directory. Relative paths are ignored, because they would differ with each
    /// working directory (XDG Base Directory Specification).
    static var path: String? {
        let folder =
            Environment.value("XDG_CONFIG_HOME") ?? Environment.value("HOME").map { "\($0)/.config" }
        return folder.flatMap { $0.hasPrefix("/") ? "\($0)/ghoststore/ctl.yaml" : nil }
    }

    /// Reads the file. If it does not exist, there are no defaults.
    static func read(_ path: String) throws(CommandFailure) -> ClientDefaults {
        guard let bytes = try contents(path) else { return ClientDefaults() }
        let document = YAMLEntries(bytes)
        var problems = document.problems.map { "\(path):\($0.line): \($0.cause)" }
        var defaults = ClientDefaults()
        for entry in document.entries {
            do throws(Problem) {
                try set(entry, &defaults)
            } catch {
                problems.append("\(path):\(entry.line): \(error.cause)")
            }
        }
        guard problems.isEmpty else { throw CommandFailure(.configuration, problems.joined(separator: "\n")) }
        return defaults
    }

    private static func set(_ entry: YAMLEntry, _ defaults: inout ClientDefaults) throws(Problem) {
        guard let key = Key(rawValue: entry.key) else {
            let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(cause: "there is no setting '\(entry.key)'; hint: one of \(known)")
        }
        switch key {
        case .socket:
            let path = try text(entry)
            guard path.hasPrefix("/") else { throw Problem(cause: "socket is not an absolute path") }
            defaults.socket = path
        case .format: defaults.format = try word(entry)
        case .pager: defaults.pager = try text(entry)
        case .times: defaults.times = try word(entry)
        case .wide: defaults.isWide = try flag(entry)
        case .progress: defaults.showsProgress = try flag(entry)
        }
    }

    private static func text(_ entry: YAMLEntry) throws(Problem) -> String {
        guard case .scalar(let text, let isPlain) = entry.value, !isPlain || !["", "~", "null"].contains(text) else {
            throw Problem(cause: "\(entry.key) is not text (write \"\" for none)")
        }
        return text
    }

    private static func flag(_ entry: YAMLEntry) throws(Problem) -> Bool {
        switch entry.value {
        case .scalar("true", isPlain: true): return true
        case .scalar("false", isPlain: true): return false
        case .scalar, .list: throw Problem(cause: "\(entry.key) is not true or false")
        }
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ entry: YAMLEntry
    ) throws(Problem) -> Word {
        guard case .scalar(let text, _) = entry.value, let word = Word(rawValue: text) else {
            throw Problem(
                cause: "\(entry.key) is not one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    /// Returns the contents; `nil` if the file does not exist or may not be read. Throws if other users can write to
    /// the file, because they could set the pager in it to any command, which this program would then run.
    private static func contents(_ path: String) throws(CommandFailure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let failure = SystemError.last
            // A service may have no right to read its own home directory.
            guard ![ENOENT, ENOTDIR, EACCES].contains(failure.number) else { return nil }
            throw CommandFailure(.configuration, "\(path): the file could not be opened: \(failure)")
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.configuration, "\(path) is not a file; hint: move it away")
        }
        guard facts.st_uid == 0 || facts.st_uid == geteuid() else {
            throw CommandFailure(
                .configuration,
                """
                \(path) belongs to another user, and a pager named in it would run as you; hint: use `sudo -H`, or set \
                HOME
                """
            )
        }
        guard facts.st_mode & (S_IWOTH | S_IWGRP) == 0 else {
            throw CommandFailure(.configuration, "\(path): other users may write to it; hint: chmod go-w \(path)")
        }
        guard facts.st_size <= bytesMax else {
            throw CommandFailure(.configuration, "\(path) has more than \(bytesMax) bytes")
        }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        do {
            let count = try bytes.withUnsafeMutableBytes { try FileDescriptorCalls.read(descriptor, into: $0) }
            return Array(bytes.prefix(count))
        } catch {
            throw CommandFailure(.configuration, "\(path): the file could not be read: \(error)")
        }
    }
}
