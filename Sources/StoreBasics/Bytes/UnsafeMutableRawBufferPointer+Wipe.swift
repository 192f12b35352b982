import Glibc

extension UnsafeMutableRawBufferPointer {
    /// Overwrites bytes that may hold a secret with zeros, in a way that the optimizer keeps (explicit_bzero(3)).
    package func wipe() {
        guard let baseAddress else { return }
        explicit_bzero(baseAddress, count)
    }
}
