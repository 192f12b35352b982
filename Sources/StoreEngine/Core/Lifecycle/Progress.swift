/// How far long work has come; `total` is 0 when not known.
package struct Progress: Hashable, Sendable {
    package let done: UInt64
    package let total: UInt64

    package init(done: UInt64, total: UInt64) {
        self.done = done
        self.total = total
    }
}
