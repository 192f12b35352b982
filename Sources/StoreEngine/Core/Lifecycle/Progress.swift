/// The progress of long work; `total` is 0 if unknown.
package struct Progress: Hashable, Sendable {
    package let done: UInt64
    package let total: UInt64

    package init(done: UInt64, total: UInt64) {
        self.done = done
        self.total = total
    }
}
