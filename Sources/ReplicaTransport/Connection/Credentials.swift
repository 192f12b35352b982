import Glibc
import StoreBasics

/// The content of a credentials file: either the output of `nsc` (a JWT and the seed of its key), which libnats reads
/// itself for each connection, or one line `name:password`.
enum Credentials {
    case chained(path: String)
    case password(line: [UInt8])

    private static let bytesMax = 64 << 10

    /// - Throws: `TransportError` with code `.configuration`.
    init(readingFrom path: String) throws(TransportError) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Self.contents(path)
        } catch {
            throw TransportError(.configuration, "the credentials could not be read: \(error); hint: check \(path)")
        }
        if bytes.starts(with: Array("-----BEGIN NATS USER JWT".utf8)) {
            self = .chained(path: path)
            return
        }
        let line = bytes.last == UInt8(ascii: "\n") ? Array(bytes.dropLast()) : bytes
        guard line.last != UInt8(ascii: "\r") else {
            throw TransportError(
                .configuration,
                "the credentials end in a carriage return, as in files from Windows; hint: remove it from \(path)")
        }
        guard !line.contains(where: { $0 < 0x20 }), line.dropFirst().contains(UInt8(ascii: ":")) else {
            throw TransportError(
                .configuration,
                "the credentials are neither a JWT with its seed nor one line name:password; hint: check \(path)")
        }
        self = .password(line: line)
    }

    private static func contents(_ path: String) throws(SystemError) -> [UInt8] {
        let number = try withoutInterruption { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        let descriptor = OwnedDescriptor(owning: number)
        var bytes: [UInt8] = []
        while bytes.count < bytesMax {
            guard try FileDescriptorCalls.readSome(descriptor.number, appendingTo: &bytes, bytesMax: 4_096) else {
                break
            }
        }
        return bytes
    }
}
