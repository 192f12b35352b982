package import Glibc

/// A Unix domain socket's address (unix(7)): a path, or an abstract name, which starts with a zero byte.
package struct UnixAddress: Sendable, Hashable {
    /// The most bytes of a path: `sun_path` has 108 bytes, the last of which is a zero byte.
    package static let pathBytesMax = 107

    private let bytes: [UInt8]

    /// Creates the address of a path; returns `nil` if the path is empty, is too long or contains a zero byte.
    package init?(path: String) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.pathBytesMax, !bytes.contains(0) else { return nil }
        self.bytes = bytes
    }

    /// Creates the address of an abstract name, given without its leading zero byte.
    package init?(abstractName name: String) {
        let name = Array(name.utf8)
        guard !name.isEmpty, name.count <= Self.pathBytesMax else { return nil }
        bytes = [0] + name
    }

    package func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        // The length of the address determines the end of an abstract name. A path ends at its zero byte.
        let length = offset + bytes.count + (bytes.first == 0 ? 0 : 1)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }

    /// Sends one datagram to this address. Returns true if the whole datagram was sent.
    package func send(_ bytes: [UInt8], from descriptor: Int32, flags: Int32 = 0) -> Bool {
        let sent = withSocketAddress { address, length in
            sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | flags, address, length)
        }
        return sent == bytes.count
    }

    /// Returns the path that a socket is bound to; `nil` without an address or with an abstract one.
    package static func boundPath(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let failed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        guard failed == 0, Int(length) > offset else { return nil }
        let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0.prefix(Int(length) - offset).prefix { $0 != 0 }) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
