import CLinuxShims
import Glibc
import StoreBasics

/// Starts writing the WAL to the disk behind each large commit, so that a checkpoint, before which it has to be there,
/// does not wait for all of it at once. Proves nothing, and the store is right without it.
///
/// Used with the writer's seat. SQLite holds no lock on this file, which closing it here would give up
/// (https://www.sqlite.org/walformat.html).
struct WALWriteBack: ~Copyable {
    private let log: OwnedDescriptor

    /// - Returns: `nil` where the file cannot be opened.
    init?(_ directory: StateDirectory) {
        guard let log = OwnedDescriptor(opening: directory.wal, in: AT_FDCWD, O_RDONLY | O_NONBLOCK) else { return nil }
        self.log = log
    }

    borrowing func start() {
        ghost_start_writing(log.number)
    }
}
