import CSQLCipher

@testable import SQLCipher

/// A fault that interrupts one statement of a connection, once.
///
/// SQLite calls back when a statement or a trigger begins (https://www.sqlite.org/c3ref/trace_v2.html), and at each
/// jump while it runs (https://www.sqlite.org/c3ref/progress_handler.html). A callback of the second kind interrupts
/// the statement. `COMMIT` and `ROLLBACK` are never interrupted, because the process ends after a failed `COMMIT`.
final class StatementFault {
    enum Place {
        /// The first jump in the statement with this number, from 1. If the statement has no jump, the first jump in a
        /// later one.
        case statement(Int)
        /// The jump with this number, from 1, counted over all statements.
        case jump(Int)
        /// Like `statement`, but the count starts anew at each query for an idempotency key. So the request with the
        /// key is interrupted at every place in a batch, and again when the writer repeats the batch.
        case behindKey(Int)
    }

    private let handle: OpaquePointer
    private var place: Place?
    private(set) var statementCount = 0
    private(set) var jumpCount = 0
    /// True if a statement was interrupted since the fault was last set.
    private(set) var hasFired = false
    /// The text of the statement that was interrupted last, and its number.
    private(set) var interruptedText = ""
    private(set) var interruptedNumber = 0
    private var text = ""
    private var isEndOfTransaction = false
    /// The number of statements since the last query for an idempotency key. `nil` before the first such query, and
    /// from an interruption to the next such query.
    private var countBehindKey: Int?

    init(_ connection: Connection) {
        handle = connection.handle
    }

    /// Runs `body` and interrupts the statement at `place`; `nil` interrupts none.
    func at<Result, Failure: Error>(
        _ place: Place?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        self.place = place
        (statementCount, jumpCount, countBehindKey, hasFired) = (0, 0, nil, false)
        watch()
        defer { unwatch() }
        return try body()
    }

    private func watch() {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        _ = sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_STMT),
            { _, context, _, text in
                StatementFault.at(context)?.begin(text)
                return 0
            }, pointer)
        sqlite3_progress_handler(handle, 1, { StatementFault.at($0)?.jump() == true ? 1 : 0 }, pointer)
    }

    private func unwatch() {
        _ = sqlite3_trace_v2(handle, 0, nil, nil)
        sqlite3_progress_handler(handle, 0, nil, nil)
    }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> StatementFault? {
        pointer.map { Unmanaged<StatementFault>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin(_ pointer: UnsafeMutableRawPointer?) {
        text = pointer.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
        isEndOfTransaction = text.hasPrefix("COMMIT") || text.hasPrefix("ROLLBACK")
        guard !isEndOfTransaction else { return }
        statementCount += 1
        countBehindKey = text.hasPrefix(Self.lookForKey) ? 0 : countBehindKey.map { $0 + 1 }
    }

    private func jump() -> Bool {
        guard !isEndOfTransaction else { return false }
        jumpCount += 1
        guard isDue else { return false }
        hasFired = true
        countBehindKey = nil
        (interruptedText, interruptedNumber) = (text, statementCount)
        return true
    }

    private var isDue: Bool {
        switch place {
        case .statement(let number): !hasFired && statementCount >= number
        case .jump(let number): !hasFired && jumpCount == number
        case .behindKey(let number): countBehindKey.map { $0 >= number } ?? false
        case nil: false
        }
    }

    /// The beginning of the statement with which `KeptKeys` looks up a key.
    private static let lookForKey = "SELECT fingerprint, result_kind"
}
