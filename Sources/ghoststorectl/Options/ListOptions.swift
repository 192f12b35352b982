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

    /// Fetches page after page until there are as many rows as are wanted or no more. The daemon ends a page before it
    /// has all the rows asked for where they are large, or where it has looked at many that a filter leaves out.
    ///
    /// - Parameter fetch: takes how many rows to ask for; gives how many came, and whether there may be more.
    func eachPage(_ fetch: (_ rows: Int) async throws -> (rows: Int, hasMore: Bool)) async throws {
        var wanted = all ? Int.max : limit
        while wanted > 0 {
            let page = try await fetch(all ? Self.rowsMax / 2 : wanted)
            guard page.hasMore else { return }
            wanted -= page.rows
        }
    }
}

/// A long list that goes on at a cursor.
struct ListOptions<Columns: ColumnSource>: ParsableArguments {
    @OptionGroup var page: PageOptions
    @OptionGroup var columns: ColumnOptions<Columns>

    @Option(help: "Go on where a page ended.")
    var cursor: String?

    /// Shows what is wanted of the list, and tells how to go on.
    ///
    /// - Parameters:
    ///   - row: what is shown of an element.
    ///   - list: the list from a cursor on.
    func show<Page: CursorPage, Row: Tabular>(
        _ session: Session, emptyText: String, _ row: (Page.Element) -> Row,
        _ list: (_ start: String?) -> PagedList<Page>
    ) async throws {
        let listing = try Listing<Row>(session.output, columns.names, emptyText: emptyText)
        var cursor = cursor
        try await page.eachPage { wanted in
            var shown = 0
            for try await found in list(cursor).pages(ofAtMost: wanted) {
                try listing.show(found.elements.map(row))
                cursor = found.nextCursor
                shown += found.elements.count
                guard page.all else { break }
            }
            return (shown, cursor != nil)
        }
        try listing.finish()
        session.hintAtMore("--cursor", cursor)
    }

    /// The same of elements that are rows themselves.
    func show<Page: CursorPage>(
        _ session: Session, emptyText: String, _ list: (_ start: String?) -> PagedList<Page>
    ) async throws where Page.Element: Tabular {
        try await show(session, emptyText: emptyText, { $0 }, list)
    }
}

extension Session {
    /// Tells on standard error that a list goes on, and with which option: in words, or as an object for programs.
    ///
    /// - Parameter hasAll: false for the best of what was looked at: what goes on is older than all of that.
    func hintAtMore(_ option: String, _ place: String?, hasAll: Bool = true) {
        guard let place else { return }
        guard case .objects = output.form else {
            return Diagnostics.write(
                hasAll
                    ? "there is more; hint: \(option) \(place), or --all"
                    : "there is more that is older; hint: \(option) \(place)")
        }
        Diagnostics.write(["more": [option, place]])
    }
}

/// Which contacts are wanted.
struct ContactFilterOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Only blocked ones, or only the others.")
    var blocked: Bool?

    @Flag(inversion: .prefixedNo, help: "Only trusted ones, or only the others.")
    var trusted: Bool?

    var filter: ContactFilter { ContactFilter(isBlocked: blocked, isTrusted: trusted) }
}

/// Which conversations are wanted.
struct ConversationFilterOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Only pinned ones, or only the others.")
    var pinned: Bool?

    @Flag(inversion: .prefixedNo, help: "Only muted ones, or only the others.")
    var muted: Bool?

    @Flag(inversion: .prefixedNo, help: "Only ones with unread messages, or only the others.")
    var unread: Bool?

    var filter: ConversationFilter { ConversationFilter(isPinned: pinned, isMuted: muted, hasUnread: unread) }
}
