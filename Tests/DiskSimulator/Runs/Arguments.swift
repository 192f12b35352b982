import Glibc
import StoreBasics

struct Arguments {
    enum Command: String {
        case cuts, faults, controls
    }

    static let usage = """
        usage: disk-simulator cuts|faults|controls [--seed N] [--count N] [--folder PATH] [--site TEXT]
                              [--drop all]
        """

    var command: Command
    var seed = UInt64.random(in: 1...999_999_999)
    var count = 1_000
    /// In memory where the system has such a folder.
    var folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    /// Only sites with this in their names.
    var sites = ""
    /// No sync is one.
    var dropsSyncs = false

    init?(_ texts: some Sequence<String>) {
        var texts = Array(texts)
        guard !texts.isEmpty, let command = Command(rawValue: texts.removeFirst()) else { return nil }
        self.command = command
        while texts.count >= 2 {
            let (name, value) = (texts.removeFirst(), texts.removeFirst())
            switch (name, UInt64(value)) {
            case ("--seed", let number?): seed = number
            case ("--count", let number?): count = Int(clamping: number)
            case ("--folder", _): folder = value
            case ("--site", _): sites = value
            case ("--drop", _) where value == "all": dropsSyncs = true
            default: return nil
            }
        }
        guard texts.isEmpty else { return nil }
    }
}
