/// Checks a condition every few milliseconds until it is true.
/// - Throws: `TestSupportError` when the condition is not true in time.
package func eventually(
    _ what: String, within limit: Duration = .seconds(20), _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else { throw TestSupportError("not within \(limit): \(what)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}
