import Glibc
import StoreBasics

@testable import StoreEngine

/// Reads the footer at the end of a backup file.
///
/// Promises: the lengths in an accepted footer add up to the length of the file, and the footer can be written again
/// unchanged.
enum BackupFooterTarget {
    static func run(_ input: [UInt8]) throws {
        try read(input)
        // Almost every mutation makes the lengths invalid. With corrected lengths, the input reaches the code after the
        // check of the lengths.
        if let bytes = fitted(input) {
            try read(bytes)
        }
    }

    private static func read(_ bytes: [UInt8]) throws {
        try file.write(bytes)
        let footer: BackupFooter
        do throws(StoreError) {
            footer = try BackupFooter.read(from: BackupFile(file.path, .read))
        } catch {
            return
        }
        let isFirstVersion = footer.number == 0
        let footerBytes = isFirstVersion ? BackupFooter.byteCountMin : BackupFooter.byteCount
        if !isFirstVersion {
            let tail = bytes.suffix(BackupFooter.byteCount)
            try BrokenPromise.unless(
                footer.unsealed() + footer.seal == Array(tail), "a footer is written as it was read")
        }
        try BrokenPromise.unless(
            footer.contentRange.upperBound + UInt64(footerBytes) == UInt64(bytes.count), "the parts add up to the file")
    }

    /// Returns a backup file with valid lengths, or `nil` if the input is too short. The last 120 bytes of the input
    /// become the footer. The keyring is the beginning of the input's other bytes, at most 64 KiB, and a zero. One page
    /// stands for the database.
    private static func fitted(_ input: [UInt8]) -> [UInt8]? {
        guard input.count >= BackupFooter.byteCount else { return nil }
        var tail = Array(input.suffix(BackupFooter.byteCount))
        let keyring = Array(input.dropLast(BackupFooter.byteCount).prefix(64 << 10)) + [0]
        var lengths: [UInt8] = []
        lengths.append(bigEndian: UInt32(keyring.count))
        lengths.append(bigEndian: UInt64(pageBytes))
        tail.replaceSubrange(28..<40, with: lengths)
        return [UInt8](repeating: 1, count: pageBytes) + keyring + tail
    }

    private static let pageBytes = 2_048
    private static let file = InputFile()

    static func seeds() throws -> [[UInt8]] {
        var footer = BackupFooter(
            number: 4, keyringBytes: 1, databaseBytes: UInt64(pageBytes), revision: 7,
            createdAt: Timestamp(microseconds: 9), keyCheck: [UInt8](repeating: 2, count: 32))
        footer.seal = [UInt8](repeating: 3, count: BackupFooter.sealBytes)
        let parts = [UInt8](repeating: 1, count: pageBytes) + [0]
        var first = Array(footer.unsealed().dropFirst(8)) + footer.seal
        first[19] = 1
        return [parts + footer.unsealed() + footer.seal, parts + first]
    }
}

/// A temporary file for the inputs of this process. It is deleted when the process exits; a run that traps leaves it.
private final class InputFile: Sendable {
    private let descriptor: Int32
    let path: String

    init() {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = "\(folder)/ghoststore-fuzz-\(getpid())"
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        atexit {
            unlink("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/ghoststore-fuzz-\(getpid())")
        }
    }

    func write(_ bytes: [UInt8]) throws {
        try BrokenPromise.unless(ftruncate(descriptor, 0) == 0, "the input's file can be emptied")
        try BrokenPromise.unless(
            pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, "the input's file can be written")
    }
}
