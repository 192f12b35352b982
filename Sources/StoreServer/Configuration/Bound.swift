/// A number of the configuration: what it is unless said otherwise, and the values that make sense.
package struct Bound: Sendable, Hashable {
    package let defaultValue: Int
    package let range: ClosedRange<Int>

    package init(default defaultValue: Int, in range: ClosedRange<Int>) {
        precondition(range.contains(defaultValue), "a default lies inside its range")
        self.defaultValue = defaultValue
        self.range = range
    }
}
