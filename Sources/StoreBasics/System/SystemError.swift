import Glibc

/// A system call's failure: its `errno` (errno(3)).
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The failure of the call just made on this thread.
    package static var last: SystemError {
        SystemError(errno)
    }

    /// The C library's words, in lower case so that they stand inside a sentence: `no such file or directory`.
    package var description: String {
        // Not strerror, whose text for an unknown number is shared by all threads (strerror(3)).
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0 else {
                return "error \(number)"
            }
            return String(cString: start).lowercased()
        }
    }
}
