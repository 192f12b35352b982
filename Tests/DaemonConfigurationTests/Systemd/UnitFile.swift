import Testing

/// The settings of a unit file in systemd/.
struct UnitFile {
    private let settings: [(name: Substring, value: Substring)]

    /// - Parameter name: the path of the unit file, relative to systemd/.
    init(_ name: String) throws {
        settings = String(decoding: try repositoryFile("systemd/" + name), as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap { line in
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
    }

    func value(of name: String) -> String? {
        settings.last { $0.name == name }.map { String($0.value) }
    }

    func number(_ name: String) throws -> Int {
        try #require(value(of: name).flatMap { Int($0) }, "\(name) is no number")
    }
}

/// A model of systemd's start limit (src/basic/ratelimit.c). Once `burst` starts were made within `interval` seconds of
/// the first one, systemd refuses the next start and the unit stays down. Every start counts, whether systemd, a socket
/// or an administrator asked for it.
struct StartLimit {
    let interval: Double
    let burst: Int
    private var began: Double?
    private var count = 0

    init(_ unit: UnitFile) throws {
        interval = Double(try unit.number("StartLimitIntervalSec"))
        burst = try unit.number("StartLimitBurst")
    }

    mutating func allowsStart(at seconds: Double) -> Bool {
        guard let began, seconds - began <= interval else {
            began = seconds
            count = 1
            return true
        }
        count += 1
        return count <= burst
    }

    /// Returns how many of the starts at `times` systemd makes before it refuses one. If it refuses none, returns the
    /// number of all starts.
    func startsMade(_ times: [Double]) -> Int {
        var limit = self
        return times.sorted().firstIndex { !limit.allowsStart(at: $0) } ?? times.count
    }
}
