import Glibc

/// Small text files and those of /proc, read and written whole.
enum TextFile {
    static func read(_ path: String) throws(BenchError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw BenchError("could not read \(path): \(systemErrorText())")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else {
                throw BenchError("could not read \(path): \(systemErrorText())")
            }
            guard count > 0 else {
                return String(decoding: bytes, as: UTF8.self)
            }
            bytes += chunk[..<count]
        }
    }

    static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws(BenchError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            throw BenchError("could not write \(path): \(systemErrorText())")
        }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            guard count > 0 else {
                throw BenchError("could not write \(path): \(systemErrorText())")
            }
            written += count
        }
    }
}
