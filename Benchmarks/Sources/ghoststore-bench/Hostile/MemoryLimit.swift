import Glibc
import StoreBasics

/// A control group (cgroups(7)) that limits the daemon's memory as the systemd unit of an installed daemon does. Some
/// machines do not allow the creation of a control group.
final class MemoryLimit {
    /// The value of MemoryMax= in the unit.
    static let bytes = 1 << 30

    private let folder: String

    /// - Returns: `nil` if this machine does not allow the creation of a control group.
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

    /// Adds a process to the control group.
    ///
    /// - Returns: false if the system refused this.
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
