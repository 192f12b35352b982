import Glibc

extension UnsafeMutableRawBufferPointer {
    /// Overwrites bytes that may contain a secret with zeros. The optimizer cannot remove the call (explicit_bzero(3)).
    package func wipe() {
        guard let baseAddress else { return }
        explicit_bzero(baseAddress, count)
    }
}
