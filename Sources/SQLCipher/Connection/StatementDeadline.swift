import CSQLCipher
import StoreBasics

/// Cuts the statements of a connection off at a time (https://www.sqlite.org/c3ref/progress_handler.html).
final class StatementDeadline {
    /// Steps of SQLite's machine between two looks at the clock: a fraction of a millisecond.
    private static let stepsPerLook: Int32 = 10_000

    private let handle: OpaquePointer
    // Of `MonotonicClock`.
    private let nanoseconds: UnsafeMutablePointer<UInt64>

    init(handle: OpaquePointer) {
        self.handle = handle
        nanoseconds = .allocate(capacity: 1)
        nanoseconds.initialize(to: .max)
        sqlite3_progress_handler(
            handle, Self.stepsPerLook,
            { context in
                guard let deadline = context?.assumingMemoryBound(to: UInt64.self).pointee else { return 0 }
                return deadline <= MonotonicClock.nanoseconds ? 1 : 0
            }, nanoseconds)
    }

    var time: UInt64? {
        get { nanoseconds.pointee == .max ? nil : nanoseconds.pointee }
        set { nanoseconds.pointee = newValue ?? .max }
    }

    func end() {
        sqlite3_progress_handler(handle, 0, nil, nil)
    }

    deinit {
        nanoseconds.deallocate()
    }
}
