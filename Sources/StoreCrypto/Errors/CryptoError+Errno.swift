import Glibc

extension CryptoError {
    /// A failed system call, as `cannot <action>: <text of errno>`.
    static func system(_ action: String, errno number: Int32) -> CryptoError {
        // strerror is thread-safe for known numbers since glibc 2.32 (strerror(3), ATTRIBUTES).
        let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        if number == ENOSPC || number == EDQUOT {
            return CryptoError(.diskFull, "cannot \(action): \(text); free some space and try again")
        }
        return CryptoError(.storageFailed, "cannot \(action): \(text)")
    }
}
