/// A number of the configuration: what it is unless said otherwise, and the values that make sense.
public struct Bound: Sendable, Hashable {
    public let defaultValue: Int
    public let range: ClosedRange<Int>

    public init(default defaultValue: Int, in range: ClosedRange<Int>) {
        precondition(range.contains(defaultValue), "a default lies inside its range")
        self.defaultValue = defaultValue
        self.range = range
    }
}
