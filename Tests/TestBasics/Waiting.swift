import Glibc

/// Checks a condition every few milliseconds, on this thread, until it is true or the time is over.
///
/// - Returns: true if the condition became true in time.
package func eventually(within limit: Duration = .seconds(20), _ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        usleep(5_000)
    }
    return true
}
