import Glibc

/// The failure of a system call: its `errno` (errno(3)).
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The failure of the previous call on this thread.
    package static var last: SystemError {
        SystemError(errno)
    }

    /// The text of the C library in lower case, so that it fits into a sentence: `no such file or directory`.
    package var description: String {
        // Do not use strerror: its text for an unknown number is shared by all threads (strerror(3)).
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0 else {
                return "error \(number)"
            }
            return String(cString: start).lowercased()
        }
    }
}
