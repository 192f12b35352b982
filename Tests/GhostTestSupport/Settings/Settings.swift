import FoundationEssentials

/// Settings of tests. The defaults are small; environment variables increase them.
package enum Settings {
    package static func number(_ name: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
    }

    /// Returns the seed of a run and prints it, so that the run can be repeated.
    package static func seed(_ name: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 1...999_999_999)
        print("\(name)=\(seed)")
        return seed
    }
}
