import CLinuxShims
import Glibc
import StoreBasics

/// Starts to write the WAL to the disk after each large commit. A checkpoint requires the WAL to be on the disk, and
/// does not have to wait for all of it at once then. This is an optimization only; correctness does not depend on it.
///
/// Only the thread that holds the writer lock may use it. SQLite holds no POSIX lock on the WAL file, so closing this
/// descriptor releases none (https://www.sqlite.org/walformat.html).
struct WALWriteBack: ~Copyable {
    private let log: OwnedDescriptor

    /// Returns `nil` if the file cannot be opened.
    init?(_ directory: StateDirectory) {
        guard let log = OwnedDescriptor(opening: directory.wal, in: AT_FDCWD, O_RDONLY | O_NONBLOCK) else { return nil }
        self.log = log
    }

    borrowing func start() {
        ghost_start_writing(log.number)
    }
}
