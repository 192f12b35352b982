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

    /// Rows to ask for at a time. The daemon ends a page of large rows before, and its cursor tells so.
    var pageRows: Int {
        all ? Self.rowsMax / 2 : limit
    }
}
