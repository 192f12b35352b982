import FoundationEssentials

/// How much a run of the tests does. Each rule is tested in both tiers; they differ in how many seeds, rounds and
/// sizes they try.
package enum TestTier: Sendable {
    /// `make test`: after each change.
    case short
    /// `make test-long`: each night and before a release.
    case long

    package static let current: TestTier = ProcessInfo.processInfo.environment["TEST_TIER"] == "long" ? .long : .short

    /// How many seeds, rounds or cases a test takes.
    package static func count(_ short: Int, long: Int) -> Int {
        current == .long ? long : short
    }

    /// What a test takes of its cases: all of them in the long tier.
    package static func cases<Case>(_ short: [Case], long: [Case]) -> [Case] {
        current == .long ? long : short
    }
}
