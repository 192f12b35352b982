import TestBasics

@testable import StoreEngine

/// Bounds of the WAL that a test runs with, and texts in proportion: a test that writes 100 MB with the shipped bounds
/// writes 6 MB with a sixteenth of them.
enum WALScale: Int, CaseIterable {
    case shipped = 1
    case sixteenth = 16

    /// The shipped bounds are part of the long tier.
    static let tested = TestTier.cases([sixteenth], long: allCases)

    var bounds: WALBounds {
        let shipped = WALBounds()
        var bounds = shipped
        bounds.commitFrames = shipped.commitFrames / rawValue
        bounds.commitBytes = (shipped.commitBytes.lowerBound / rawValue)...(shipped.commitBytes.upperBound / rawValue)
        bounds.checkpointBytes = shipped.checkpointBytes / rawValue
        bounds.heldBytesMax = shipped.heldBytesMax / rawValue
        bounds.heldByCheckBytesMax = shipped.heldByCheckBytesMax / rawValue
        return bounds
    }

    /// A text of as many bytes with the shipped bounds.
    func text(_ count: Int) -> String {
        String(repeating: "x", count: count / rawValue)
    }
}
