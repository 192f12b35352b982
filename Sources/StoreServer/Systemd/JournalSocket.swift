import Glibc
import StoreBasics

/// Sends entries with fields to the systemd journal in its native protocol
/// (<https://systemd.io/JOURNAL_NATIVE_PROTOCOL>). An entry is one datagram, which the journal accepts at once or not
/// at all.
package final class JournalSocket: Sendable {
    package static let standardPath = "/run/systemd/journal/socket"
    /// The largest size of an entry in bytes. It is far below the limit of a datagram, so that no entry has to be
    /// passed as a file.
    static let entryBytesMax = 16 << 10

    private let descriptor: Int32
    private let address: UnixAddress

    /// - Throws: `ServerError` with code `.configuration` or `.system`.
    package init(path: String = standardPath) throws(ServerError) {
        guard let address = UnixAddress(path: path) else {
            throw ServerError(.configuration, "the socket of the system's journal has no usable path")
        }
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let made = socket(AF_UNIX, kind, 0)
        guard made >= 0 else {
            throw ServerError(.system, "the socket of the system's journal could not be created: \(SystemError.last)")
        }
        descriptor = made
        self.address = address
    }

    deinit {
        close(descriptor)
    }

    /// Sends an entry. Returns false if the journal is not running or does not accept it now. Each call connects again,
    /// because the journal may have been restarted.
    func send(_ fields: [(name: String, value: String)]) -> Bool {
        let bytes = Self.encode(fields)
        guard bytes.count <= Self.entryBytesMax else { return false }
        return address.send(bytes, from: descriptor, flags: Int32(MSG_DONTWAIT))
    }

    /// Encodes each field as `NAME=value` and a line feed. If the value contains a line feed, the equals sign is
    /// replaced by a line feed and the value's length in 8 bytes, least significant byte first.
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
