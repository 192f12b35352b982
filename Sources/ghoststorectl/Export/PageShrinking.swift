import StoreClient

/// Asks for fewer rows at a time when so many of them do not fit one answer.
enum PageShrinking {
    /// - Parameter fetch: takes the number of rows to ask for.
    static func fetch<Page: Sendable>(
        rows: Int, _ fetch: (Int) async throws(StoreClientError) -> Page
    ) async throws(StoreClientError) -> Page {
        var rows = rows
        while true {
            do throws(StoreClientError) {
                return try await fetch(rows)
            } catch {
                guard error.code == .resourceExhausted, !error.isRetryable, rows > 1 else {
                    throw error
                }
                rows /= 2
            }
        }
    }
}
