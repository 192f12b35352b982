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

/// A long list that goes on at a cursor.
struct ListOptions: ParsableArguments {
    @OptionGroup var page: PageOptions

    @Option(help: "Go on where a page ended.")
    var cursor: String?

    /// Shows what is wanted of the list, and tells how to go on.
    ///
    /// - Parameter list: the list from a cursor on.
    func show<Page: CursorPage>(
        _ session: Session, emptyText: String, _ list: (_ start: String?) -> PagedList<Page>
    ) async throws where Page.Element: Tabular {
        let listing = Listing<Page.Element>(session.output, emptyText: emptyText)
        var cursor = cursor
        for try await shown in list(cursor).pages(ofAtMost: page.pageRows) {
            try listing.show(shown.elements)
            cursor = shown.nextCursor
            guard page.all else { break }
        }
        try listing.finish()
        session.hintAtMore("--cursor", cursor)
    }
}

extension Session {
    /// Tells on standard error that a list goes on, and with which option: in words, or as an object for programs.
    func hintAtMore(_ option: String, _ place: String?) {
        guard let place else { return }
        guard output.isJSON else { return Diagnostics.write("there is more; hint: \(option) \(place), or --all") }
        Diagnostics.write(["more": [option, place]])
    }
}
