import Glibc

/// Asks again every few milliseconds, on this thread, whether something holds.
///
/// - Returns: whether it did in time.
package func eventually(within limit: Duration = .seconds(20), _ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        usleep(5_000)
    }
    return true
}
