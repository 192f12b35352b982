#if canImport(Glibc)
import Glibc
#endif

extension StoreClientError {
    /// A system call of this process that failed.
    static func systemCall(_ what: String, errno code: CInt) -> StoreClientError {
        StoreClientError(
            code: code == EACCES || code == EPERM ? .permissionDenied : .unavailable, reason: .inputOutputFailed,
            message: "\(what): \(String(cString: strerror(code)))")
    }
}
