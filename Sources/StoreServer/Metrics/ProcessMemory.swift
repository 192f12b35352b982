internal import Glibc

/// This process' memory as the kernel tells it (proc(5), /proc/[pid]/statm).
enum ProcessMemory {
    /// 0 when it cannot be read.
    static var residentBytes: UInt64 {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return 0
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else {
            return 0
        }
        let fields = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = UInt64(fields[1]) else {
            return 0
        }
        return pages * UInt64(clamping: sysconf(Int32(_SC_PAGESIZE)))
    }
}
