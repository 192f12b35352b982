import CSQLCipher
import StoreBasics
import Synchronization

/// Ends what a connection runs, from any thread: at a deadline, or at once. A statement that is cut off fails with kind
/// `.interrupted`.
///
/// Not sqlite3_interrupt: that ends only what runs at the moment of the call, and in SQLite 3.15 not even an integrity
/// check. This one looks at the clock while statements run, and once cut off no page is read any more (`GuardedFile`).
/// See https://www.sqlite.org/c3ref/progress_handler.html.
package final class StatementCutoff: Sendable {
    /// Steps of SQLite's machine between two looks at the clock: a fraction of a millisecond.
    private static let stepsPerLook: Int32 = 10_000

    private let deadlineTime = Atomic<UInt64>(.max)
    private let cut = Atomic(false)

    package init() {}

    /// Of `MonotonicClock`; `nil`: never.
    package func setDeadline(_ deadline: UInt64?) {
        deadlineTime.store(deadline ?? .max, ordering: .relaxed)
    }

    /// Whatever runs or is begun on the connection fails from here on, until `restore`.
    package func cutOff() {
        cut.store(true, ordering: .relaxed)
    }

    package func restore() {
        cut.store(false, ordering: .relaxed)
    }

    var isCutOff: Bool { cut.load(ordering: .relaxed) }

    private var isDue: Bool {
        let deadline = deadlineTime.load(ordering: .relaxed)
        return isCutOff || (deadline != .max && deadline <= MonotonicClock.nanoseconds)
    }

    /// - Parameter handle: of a connection that keeps this object for as long as it is open.
    func watch(_ handle: OpaquePointer) {
        sqlite3_progress_handler(
            handle, Self.stepsPerLook, { context in StatementCutoff.at(context)?.isDue == true ? 1 : 0 }, pointer)
    }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func at(_ pointer: UnsafeMutableRawPointer?) -> StatementCutoff? {
        pointer.map { Unmanaged<StatementCutoff>.fromOpaque($0).takeUnretainedValue() }
    }
}
