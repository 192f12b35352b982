import CSQLCipher

/// Ends the statement that a connection is running, from another thread: it fails with kind `.interrupted`.
///
/// The connection must outlive every call. See https://www.sqlite.org/c3ref/interrupt.html.
package struct Interrupter: @unchecked Sendable {
    // Sendable because sqlite3_interrupt is documented to be safe from any thread while the connection is open.
    private let handle: OpaquePointer

    init(handle: OpaquePointer) {
        self.handle = handle
    }

    package func interrupt() {
        sqlite3_interrupt(handle)
    }
}
