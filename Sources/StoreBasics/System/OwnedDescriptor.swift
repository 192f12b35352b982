package import Glibc

/// An open file descriptor, closed at deinit.
package struct OwnedDescriptor: ~Copyable {
    package let number: Int32

    /// Opens `name` relative to `directory` (or to the working directory with `AT_FDCWD`). Never follows a symbolic
    /// link in the last component, and never passes the descriptor to a child process.
    ///
    /// - Returns: `nil` with `errno` set if the call fails.
    package init?(opening name: String, in directory: Int32, _ flags: Int32, mode: mode_t = 0) {
        let number = try? withoutInterruption {
            openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, mode)
        }
        guard let number else { return nil }
        self.number = number
    }

    package init(owning number: Int32) {
        self.number = number
    }

    deinit {
        // Do not repeat the call after EINTR, because Linux has already closed the descriptor (close(2)).
        close(number)
    }
}
