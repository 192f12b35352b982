import FoundationEssentials
import Glibc

/// A copy of the memory of another process of this user, read through /proc/PID/mem (proc(5)).
///
/// It contains everything that the process can have written: all readable mappings, except files mapped read-only. It
/// does not contain registers, unreadable swapped-out pages, or buffers of the kernel.
package struct ProcessMemory: Sendable {
    package let mappings: [[UInt8]]

    /// Copies the memory of a process. The process must not do any work at the same time.
    package init(processID: Int32) throws {
        let descriptor = open("/proc/\(processID)/mem", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TestSupportError("could not open the memory of \(processID): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        mappings = try Self.ranges(processID).map { try Self.read($0, from: descriptor) }
    }

    package var byteCount: Int {
        mappings.reduce(0) { $0 + $1.count }
    }

    /// Returns the number of occurrences of `bytes` in all mappings together.
    package func count(of bytes: [UInt8]) -> Int {
        mappings.reduce(0) { $0 + Self.count(of: bytes, in: $1) }
    }

    /// Returns the number of occurrences of `needle` in one mapping.
    package static func count(of needle: [UInt8], in mapping: [UInt8]) -> Int {
        guard let first = needle.first else { return 0 }
        return mapping.withUnsafeBytes { bytes in
            var count = 0
            var offset = 0
            while offset + needle.count <= bytes.count, let start = bytes.baseAddress,
                let place = memchr(start + offset, CInt(first), bytes.count - offset - needle.count + 1)
            {
                count += memcmp(place, needle, needle.count) == 0 ? 1 : 0
                offset = place - UnsafeMutableRawPointer(mutating: start) + 1
            }
            return count
        }
    }

    /// Returns the ranges of the mappings to copy. A line of /proc/PID/maps is "start-end permissions offset device
    /// inode name".
    private static func ranges(_ processID: Int32) throws -> [Range<UInt>] {
        guard let maps = FileManager.default.contents(atPath: "/proc/\(processID)/maps") else {
            throw TestSupportError("process \(processID) is not there")
        }
        return String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count >= 5 else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            let (permissions, inode) = (fields[1], fields[4])
            let isKernels = fields.count > 5 && ["[vvar]", "[vvar_vclock]", "[vsyscall]"].contains(fields[5])
            let mayHoldData = permissions.contains("w") || inode == "0"
            guard ends.count == 2, ends[0] < ends[1], permissions.hasPrefix("r"), mayHoldData, !isKernels else {
                return nil
            }
            return ends[0]..<ends[1]
        }
    }

    private static func read(_ range: Range<UInt>, from descriptor: CInt) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var offset = 0
        while offset < bytes.count {
            let place = off_t(range.lowerBound) + off_t(offset)
            let count = bytes.withUnsafeMutableBytes { memory in
                pread(descriptor, memory.baseAddress.map { $0 + offset }, memory.count - offset, place)
            }
            guard count > 0 else {
                throw TestSupportError("could not read memory: \(String(cString: strerror(errno)))")
            }
            offset += count
        }
        return bytes
    }
}
