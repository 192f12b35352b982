import Glibc
import StoreBasics

/// Sends entries with fields to the journal in its native protocol
/// (<https://systemd.io/JOURNAL_NATIVE_PROTOCOL>): one datagram an entry, which it takes at once or not at all.
package final class JournalSocket: Sendable {
    package static let standardPath = "/run/systemd/journal/socket"
    /// Bytes of an entry: far below what a datagram may have, so that none has to be passed as a file.
    static let entryBytesMax = 16 << 10

    private let descriptor: Int32
    private let address: UnixAddress

    /// - Throws: `ServerError` with code `.configuration` or `.system`.
    package init(path: String = standardPath) throws(ServerError) {
        guard let address = UnixAddress(path: path) else {
            throw ServerError(.configuration, "the journal's socket has no usable path")
        }
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let made = socket(AF_UNIX, kind, 0)
        guard made >= 0 else {
            throw ServerError(.system, "the journal's socket could not be created: \(SystemError.last)")
        }
        descriptor = made
        self.address = address
    }

    deinit {
        close(descriptor)
    }

    /// False when the journal is not there or takes no more now. Connects anew each time: the journal may be restarted.
    func send(_ fields: [(name: String, value: String)]) -> Bool {
        let bytes = Self.encode(fields)
        guard bytes.count <= Self.entryBytesMax else { return false }
        return address.send(bytes, from: descriptor, flags: Int32(MSG_DONTWAIT))
    }

    /// `NAME=value` and a line feed; a value that holds one has its length in 8 bytes, the least significant first,
    /// instead of the sign.
    static func encode(_ fields: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes += Array(name.utf8)
            if value.utf8.contains(UInt8(ascii: "\n")) {
                bytes.append(UInt8(ascii: "\n"))
                withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += Array(value.utf8) + [UInt8(ascii: "\n")]
        }
        return bytes
    }
}
