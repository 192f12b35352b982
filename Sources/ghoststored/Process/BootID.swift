import Glibc
import StoreBasics

/// What tells one start of the machine from another.
enum BootID {
    /// Where a service manager gives it: the system's file is hidden from a confined daemon.
    static let variable = "GHOSTSTORED_BOOT_ID"

    /// 32 hexadecimal digits; `nil` where nothing tells.
    static func current() -> String? {
        getenv(variable).flatMap { parse(String(cString: $0)) } ?? parse(kernels())
    }

    /// With or without dashes, as systemd (`%b`) and the kernel write it.
    static func parse(_ text: String) -> String? {
        let digits = text.filter { $0 != "-" && $0 != "\n" }
        return digits.utf8.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits.lowercased() : nil
    }

    /// https://docs.kernel.org/admin-guide/sysctl/kernel.html#random
    private static func kernels() -> String {
        let number = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return "" }
        let descriptor = OwnedDescriptor(owning: number)
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { read(descriptor.number, $0.baseAddress, $0.count) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
