import Glibc
import StoreBasics

struct Arguments {
    enum Command: String {
        case cuts, faults, controls, walks
    }

    static let usage = """
        usage: disk-simulator cuts|faults|controls|walks [--seed N] [--count N] [--folder PATH] [--site TEXT]
                              [--part K/N] [--stride N] [--drop all]
        """

    var command: Command
    var seed = UInt64.random(in: 1...999_999_999)
    var count = 1_000
    /// The parent folder of the simulated disk, in memory if the system has /dev/shm.
    var folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    /// A text that selects the sites or walks whose names contain it.
    var sites = ""
    /// The part of the faults or controls that this process runs, so that several processes can share the work.
    var part = Part.whole
    /// The distance between the operations at which walks interrupt a life.
    var stride: UInt64 = 1
    /// True if syncs have no effect.
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
            case ("--part", _):
                guard let part = Part(value) else { return nil }
                self.part = part
            case ("--stride", let number?) where number > 0: stride = number
            case ("--drop", _) where value == "all": dropsSyncs = true
            default: return nil
            }
        }
        guard texts.isEmpty else { return nil }
    }
}

/// Every nth of many items, so that several processes can share them.
struct Part {
    static let whole = Part(index: 0, count: 1)

    private let index: Int
    private let count: Int

    private init(index: Int, count: Int) {
        (self.index, self.count) = (index, count)
    }

    /// Reads a part from text: `1/2` is the first of two parts.
    init?(_ text: String) {
        let numbers = text.split(separator: "/").map { Int($0) ?? 0 }
        guard numbers.count == 2, numbers[0] >= 1, numbers[0] <= numbers[1] else { return nil }
        self.init(index: numbers[0] - 1, count: numbers[1])
    }

    func has(_ place: Int) -> Bool { place % count == index }
}
