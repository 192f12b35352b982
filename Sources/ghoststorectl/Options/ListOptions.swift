import ArgumentParser
import StoreClient

/// The number of rows of a long list to show.
struct PageOptions: ParsableArguments {
    static let rowsMax = 1_000

    @Option(help: ArgumentHelp("Rows to show, 1 to 1,000.", valueName: "rows"))
    var limit = 100

    @Flag(help: "Show all rows, page after page.")
    var all = false

    func validate() throws {
        guard (1...Self.rowsMax).contains(limit) else {
            throw ValidationError("--limit must be a number from 1 to \(Self.rowsMax)")
        }
    }

    /// Fetches page after page until there are enough rows or no more. A page may have fewer rows than requested: the
    /// daemon ends a page early if rows are large, or if a filter rejected many rows.
    ///
    /// - Parameter fetch: Receives the number of rows to request. Returns the number of rows received, and whether
    ///   there may be more.
    func eachPage(_ fetch: (_ rows: Int) async throws -> (rows: Int, hasMore: Bool)) async throws {
        var wanted = all ? Int.max : limit
        while wanted > 0 {
            let page = try await fetch(all ? Self.rowsMax / 2 : wanted)
            guard page.hasMore else { return }
            wanted -= page.rows
        }
    }
}

/// The options of a long list that can be continued at a cursor.
struct ListOptions<Columns: ColumnSource>: ParsableArguments {
    @OptionGroup var page: PageOptions
    @OptionGroup var columns: ColumnOptions<Columns>

    @Option(help: "Continue at this cursor, which an earlier page printed.")
    var cursor: String?

    /// Shows the requested part of the list, and says how to continue.
    ///
    /// - Parameters:
    ///   - row: Returns the row for an element.
    ///   - list: Returns the list from a cursor on.
    func show<Page: CursorPage, Row: Tabular>(
        _ session: Session, emptyText: String, _ row: (Page.Element) async throws -> Row,
        _ list: (_ start: String?) -> PagedList<Page>
    ) async throws {
        let listing = try Listing<Row>(session.output, columns.names, emptyText: emptyText)
        var cursor = cursor
        try await page.eachPage { wanted in
            var shown = 0
            for try await found in list(cursor).pages(ofAtMost: wanted) {
                try await listing.show(found.elements, row)
                cursor = found.nextCursor
                shown += found.elements.count
                guard page.all else { break }
            }
            return (shown, cursor != nil)
        }
        try listing.finish()
        session.hintAtMore("--cursor", cursor)
    }

    /// Shows the requested part of a list whose elements are rows.
    func show<Page: CursorPage>(
        _ session: Session, emptyText: String, _ list: (_ start: String?) -> PagedList<Page>
    ) async throws where Page.Element: Tabular {
        try await show(session, emptyText: emptyText, { $0 }, list)
    }
}

extension Session {
    /// Says on standard error that a list continues, and with which option: in words, or as an object for programs.
    ///
    /// - Parameter hasAll: False for a search that shows only the best of the matches that it compared. The next page
    ///   compares older matches, so no option shows the matches left out here, and the hint does not offer `--all`.
    func hintAtMore(_ option: String, _ place: String?, hasAll: Bool = true) {
        guard let place else { return }
        guard case .objects = output.form else {
            return Diagnostics.write(
                hasAll
                    ? "there is more; hint: \(option) \(place), or --all"
                    : "there are older results; hint: \(option) \(place)")
        }
        Diagnostics.write(["more": [option, place]])
    }
}

struct ContactFilterOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Only blocked contacts, or only contacts that are not blocked.")
    var blocked: Bool?

    @Flag(inversion: .prefixedNo, help: "Only trusted contacts, or only contacts that are not trusted.")
    var trusted: Bool?

    var filter: ContactFilter { ContactFilter(isBlocked: blocked, isTrusted: trusted) }
}

struct ConversationFilterOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Only pinned conversations, or only conversations that are not pinned.")
    var pinned: Bool?

    @Flag(inversion: .prefixedNo, help: "Only muted conversations, or only conversations that are not muted.")
    var muted: Bool?

    @Flag(inversion: .prefixedNo, help: "Only conversations with unread messages, or only conversations without any.")
    var unread: Bool?

    @Option(help: "Only conversations of this kind; an empty text means without a kind.")
    var kind: String?

    var filter: ConversationFilter {
        ConversationFilter(isPinned: pinned, isMuted: muted, hasUnread: unread, kind: kind)
    }
}
