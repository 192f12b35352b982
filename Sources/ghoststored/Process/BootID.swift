import Glibc
import StoreBasics

/// The id that the kernel gives to each boot of the machine. With it, the store notices that the machine was off.
enum BootID {
    /// The variable with which the service manager passes the id, because a confined daemon cannot read the system's
    /// file.
    static let variable = "GHOSTSTORED_BOOT_ID"

    /// Returns the id as 32 hexadecimal digits; `nil` if it is unknown.
    static func current() -> String? {
        getenv(variable).flatMap { parse(String(cString: $0)) } ?? parse(kernels())
    }

    /// Parses an id with or without dashes, as written by systemd (`%b`) and the kernel.
    static func parse(_ text: String) -> String? {
        let digits = text.filter { $0 != "-" && $0 != "\n" }
        return digits.utf8.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits.lowercased() : nil
    }

    /// Reads the kernel's id: https://docs.kernel.org/admin-guide/sysctl/kernel.html#random
    private static func kernels() -> String {
        let number = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return "" }
        let descriptor = OwnedDescriptor(owning: number)
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { read(descriptor.number, $0.baseAddress, $0.count) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
