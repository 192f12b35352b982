import Testing

/// A unit of systemd/: the settings that its lines make.
struct UnitFile {
    private let settings: [(name: Substring, value: Substring)]

    /// - Parameter name: below systemd/.
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

/// systemd's count of starts (src/basic/ratelimit.c): beyond `burst` within `interval` seconds of the first one, a
/// start is refused, and what is refused stays down. It counts every start, by whomever.
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

    /// How many of these starts are made before one is refused; all of them: none is.
    func startsMade(_ times: [Double]) -> Int {
        var limit = self
        return times.sorted().firstIndex { !limit.allowsStart(at: $0) } ?? times.count
    }
}
