import FoundationEssentials
import Glibc
import StoreBasics

/// Reads and writes small text files and files of /proc as a whole.
enum TextFile {
    static func read(_ path: String) throws(BenchError) -> String {
        String(decoding: try readBytes(path), as: UTF8.self)
    }

    static func readBytes(_ path: String) throws(BenchError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchError("could not read \(path): \(SystemError.last)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        do throws(SystemError) {
            while try FileDescriptorCalls.readSome(descriptor, appendingTo: &bytes, bytesMax: 64 << 10) {}
        } catch {
            throw BenchError("could not read \(path): \(error)")
        }
        return bytes
    }

    static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws(BenchError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw BenchError("could not write \(path): \(SystemError.last)") }
        defer { close(descriptor) }
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor, Array(text.utf8))
        } catch {
            throw BenchError("could not write \(path): \(error)")
        }
    }
}

enum JSONFile {
    /// Writes a report as indented JSON with sorted keys.
    static func write(_ report: some Encodable, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var data = try encoder.encode(report)
        data.append(UInt8(ascii: "\n"))
        try TextFile.write(String(decoding: data, as: UTF8.self), to: path)
    }
}
