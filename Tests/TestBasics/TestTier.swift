import FoundationEssentials

/// The extent of a test run. Both tiers test each rule; they differ in the number of seeds and rounds and in sizes.
package enum TestTier: Sendable {
    /// The tier of `make test`, which runs after each change.
    case short
    /// The tier of `make test-long`, which runs each night and before a release.
    case long

    package static let current: TestTier = ProcessInfo.processInfo.environment["TEST_TIER"] == "long" ? .long : .short

    /// Returns the number of seeds, rounds or cases for the current tier.
    package static func count(_ short: Int, long: Int) -> Int {
        current == .long ? long : short
    }

    package static func cases<Case>(_ short: [Case], long: [Case]) -> [Case] {
        current == .long ? long : short
    }
}
