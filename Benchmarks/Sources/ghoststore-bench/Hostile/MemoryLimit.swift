import Glibc
import StoreBasics

/// A control group that holds the daemon to the memory its unit gives it (cgroups(7)), where one can be made.
final class MemoryLimit {
    /// MemoryMax= of the unit.
    static let bytes = 1 << 30

    private let folder: String

    /// - Returns: `nil` when this machine lets no group be made.
    init?() {
        let versions = [
            ("/sys/fs/cgroup/ghoststore-bench-\(getpid())", "memory.max"),
            ("/sys/fs/cgroup/memory/ghoststore-bench-\(getpid())", "memory.limit_in_bytes"),
        ]
        for (folder, limit) in versions where mkdir(folder, 0o755) == 0 {
            if Self.write("\(Self.bytes)", to: "\(folder)/\(limit)") {
                self.folder = folder
                return
            }
            rmdir(folder)
        }
        return nil
    }

    /// - Returns: whether the process is held to it from now on.
    func hold(_ processID: pid_t) -> Bool {
        Self.write("\(processID)", to: folder + "/cgroup.procs")
    }

    deinit {
        rmdir(folder)
    }

    private static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count
    }
}
