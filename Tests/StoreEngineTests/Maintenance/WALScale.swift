import TestBasics

@testable import StoreEngine

/// The limits of the WAL in a test, and texts in proportion to them. A test that writes 100 MB with the shipped limits
/// writes 6 MB with a sixteenth of them.
enum WALScale: Int, CaseIterable {
    case shipped = 1
    case sixteenth = 16

    /// The scales that a test runs with. The shipped limits are tested in the long tier only.
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

    /// Returns a text of `count` bytes, divided by the scale.
    func text(_ count: Int) -> String {
        String(repeating: "x", count: count / rawValue)
    }
}
