import CSQLCipher
import StoreBasics
import Synchronization

/// Interrupts the statements of a connection from any thread, at a deadline or at once. An interrupted statement fails
/// with kind `.interrupted`.
///
/// sqlite3_interrupt is not sufficient: it ends only statements that run at the moment of the call, and in SQLite 3.15
/// it does not end an integrity check. This class checks the clock while statements run, and after `cutOff` no page can
/// be read any more (`GuardedFile`). See https://www.sqlite.org/c3ref/progress_handler.html.
package final class StatementCutoff: Sendable {
    /// The number of SQLite's virtual-machine steps between two checks of the clock: a fraction of a millisecond.
    private static let stepsPerLook: Int32 = 10_000

    private let deadlineTime = Atomic<UInt64>(.max)
    private let cut = Atomic(false)

    package init() {}

    /// Sets the time of `MonotonicClock` at which statements are interrupted; `nil` for never.
    package func setDeadline(_ deadline: UInt64?) {
        deadlineTime.store(deadline ?? .max, ordering: .relaxed)
    }

    /// Lets all running and future statements of the connection fail, until `restore` is called.
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

    /// Installs the check in a connection.
    ///
    /// - Parameter handle: the connection, which must keep this object alive while it is open.
    func watch(_ handle: OpaquePointer) {
        sqlite3_progress_handler(
            handle, Self.stepsPerLook, { context in StatementCutoff.at(context)?.isDue == true ? 1 : 0 }, pointer)
    }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func at(_ pointer: UnsafeMutableRawPointer?) -> StatementCutoff? {
        pointer.map { Unmanaged<StatementCutoff>.fromOpaque($0).takeUnretainedValue() }
    }
}
