import ArgumentParser
import StoreClient

/// How much of a long list is wanted.
struct PageOptions: ParsableArguments {
    static let rowsMax = 1_000

    @Option(help: ArgumentHelp("Rows to show, 1 to 1,000.", valueName: "rows"))
    var limit = 100

    @Flag(help: "Show everything, page after page.")
    var all = false

    func validate() throws {
        guard (1...Self.rowsMax).contains(limit) else {
            throw ValidationError("--limit is a number from 1 to \(Self.rowsMax)")
        }
    }

    /// Rows to ask for at a time.
    var pageRows: Int {
        all ? Self.rowsMax / 2 : limit
    }

    /// A page of what is wanted: of everything, whatever one answer can hold. The daemon ends a page of large rows
    /// before the limit, and its cursor tells so.
    func fetch<Page: Sendable>(
        _ fetch: (Int) async throws(StoreClientError) -> Page
    ) async throws(StoreClientError) -> Page {
        all ? try await PageShrinking.fetch(rows: pageRows, fetch) : try await fetch(limit)
    }
}
