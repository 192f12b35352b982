import StoreBasics
import StoreClient

/// Aligned rows under headings. On a terminal, the table is at most as wide as the terminal.
struct Table {
    struct Column {
        enum Alignment {
            case left
            case right
        }

        /// The part that a cell loses if its column is too wide.
        enum Cut {
            case nothing
            /// An ID loses its middle, because both of its ends distinguish it from others.
            case middle
            /// A text loses its end. An ID in a column of texts loses its middle.
            case end
        }

        let title: String
        let alignment: Alignment
        let cut: Cut
        /// The smallest width of a column that is cut.
        let columnsMin: Int
        /// The width that the column's texts get before IDs are shown whole and extra columns are shown at all.
        var columnsWanted = 0
        /// The importance of the column. If there is no room for all columns, the least important one is omitted first.
        let worth: Int
        /// True for an extra column, which is shown whole or not at all. It is shown only if there is room beside the
        /// texts.
        var isExtra = false

        /// The name of the column on the command line.
        var name: String {
            title.isEmpty ? "direction" : title.replacing(" ", with: "_")
        }

        /// Returns a column that is never cut.
        static func fixed(_ title: String, worth: Int = 2) -> Column {
            Column(title: title, alignment: .left, cut: .nothing, columnsMin: 0, worth: worth)
        }

        static func number(_ title: String, worth: Int = 2) -> Column {
            Column(title: title, alignment: .right, cut: .nothing, columnsMin: 0, worth: worth)
        }

        /// Returns a column for an ID that other commands accept. It is shown whole or not at all, because a part of an
        /// ID is useless.
        static func extra(_ title: String, worth: Int = 1) -> Column {
            Column(title: title, alignment: .left, cut: .nothing, columnsMin: 0, worth: worth, isExtra: true)
        }

        /// Returns a column for an ID that also says what a row is about. If there is no room for the whole ID, both of
        /// its ends stay.
        static func id(_ title: String, columnsMin: Int = 11, worth: Int = 1) -> Column {
            Column(title: title, alignment: .left, cut: .middle, columnsMin: columnsMin, worth: worth)
        }

        static func text(
            _ title: String, columnsMin: Int = 8, columnsWanted: Int = 20, worth: Int = 5
        ) -> Column {
            Column(
                title: title, alignment: .left, cut: .end, columnsMin: columnsMin, columnsWanted: columnsWanted,
                worth: worth)
        }
    }

    /// The text of a cell, already safe for a terminal, and its emphasis.
    struct Cell: ExpressibleByStringInterpolation {
        private enum Content {
            case text(String)
            case time(Timestamp)
        }

        private let content: Content
        let emphasis: Style?
        /// The highlighted parts of the text, in Unicode scalars.
        private(set) var marks: [Range<Int>] = []
        /// True for an ID in a column of texts.
        private(set) var isID = false
        /// True for a text whose end distinguishes it from others, so that it loses its middle.
        private(set) var keepsEnd = false

        init(_ text: String, _ emphasis: Style? = nil) {
            content = .text(DisplayText.neutralized(text))
            self.emphasis = emphasis
        }

        init(id: String) {
            self.init(id)
            isID = true
        }

        init(keepingEndOf text: String) {
            self.init(text)
            keepsEnd = true
        }

        /// - Parameter ranges: The highlighted ranges of the text, in order and without overlaps.
        init(_ text: String, marking ranges: [Range<String.Index>]) {
            self.init(text)
            let scalars = text.unicodeScalars
            marks = ranges.map { range in
                let start = scalars.distance(from: scalars.startIndex, to: range.lowerBound)
                return start..<start + scalars.distance(from: range.lowerBound, to: range.upperBound)
            }
        }

        init(_ time: Timestamp) {
            content = .time(time)
            emphasis = .dim
        }

        init(stringLiteral text: String) {
            self.init(text)
        }

        /// Returns a text with the emphasis and the highlighted parts of the cell. `text` is the cell's text; its end
        /// may be cut off.
        func styled(_ text: String) -> String {
            guard !marks.isEmpty else { return emphasis?.applied(to: text) ?? text }
            let scalars = Array(text.unicodeScalars)
            // The first character of an isolate is not part of the cell's text.
            let shift = scalars.first == DisplayText.isolateStart ? 1 : 0
            var (result, end) = ("", 0)
            for mark in marks where mark.upperBound + shift <= scalars.count {
                result += Self.string(scalars[end..<mark.lowerBound + shift])
                result += Style.bold.applied(
                    to: Self.string(scalars[mark.lowerBound + shift..<mark.upperBound + shift]))
                end = mark.upperBound + shift
            }
            return result + Self.string(scalars[end...])
        }

        private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
            String(String.UnicodeScalarView(scalars))
        }

        func text(_ style: DisplayStyle) -> String {
            switch content {
            case .text(let text): text
            case .time(let time): time.shortText(style.times)
            }
        }
    }
}

/// The columns that a table shows and their widths. They are computed from the first rows and used for all following
/// ones.
struct TableLayout {
    private struct Place {
        let index: Int
        let column: Table.Column
        /// True if all cells of the column are empty.
        let isEmpty: Bool
        /// The width of the widest cell.
        let whole: Int
        /// The width if texts are whole and IDs are cut as far as possible.
        let short: Int
        /// The smallest possible width of the column.
        let widthMin: Int
        var width: Int

        /// The importance of the column. Empty columns are omitted first.
        var worth: Int { isEmpty ? -1 : column.worth }

        /// True if the column has whole IDs that could be cut.
        var hasWholeIDs: Bool { width > short }

        /// The order in which columns make room for texts, smallest first.
        var yieldingOrder: (Int, Int) {
            (isEmpty ? 0 : hasWholeIDs ? 1 : 2, column.worth)
        }

        /// The width that the column keeps as long as IDs and extra columns can make room for it.
        var wanted: Int {
            column.cut == .end && !hasWholeIDs ? min(width, max(widthMin, column.columnsWanted)) : width
        }
    }

    private static let gap = "  "

    private let columns: [Table.Column]
    private let style: DisplayStyle
    private var places: [Place]

    init(_ columns: [Table.Column], rows: [[Table.Cell]], style: DisplayStyle) {
        self.columns = columns
        self.style = style
        places = columns.enumerated().map { index, column in
            let title = DisplayWidth.columns(column.title)
            var (content, whole, short) = (0, title, title)
            for row in rows {
                let width = DisplayWidth.columns(row[index].text(style))
                let isID = column.cut == .middle || (column.cut == .end && row[index].isID)
                content = max(content, width)
                whole = max(whole, width)
                short = max(short, isID ? min(width, column.columnsMin) : width)
            }
            // On a narrow terminal, a column of texts may demand at most half of the line.
            let textMin = min(short, column.columnsMin, max(8, (style.columnsMax ?? .max) / 2))
            return Place(
                index: index, column: column, isEmpty: content == 0, whole: whole, short: short,
                widthMin: column.cut == .end ? textMin : short, width: whole)
        }
        if let columnsMax = style.columnsMax {
            makeRoomForTexts(columnsMax)
            leaveOutColumns(columnsMax)
            shrinkTexts(toColumns: columnsMax)
            widenIDs(toColumns: columnsMax)
        }
    }

    var heading: String {
        line(columns.map { Table.Cell($0.title.uppercased(), .bold) })
    }

    func line(_ row: [Table.Cell]) -> String {
        precondition(row.count == columns.count, "a row must have a cell for each column")
        var parts: [String] = []
        for (position, place) in places.enumerated() {
            let text = shown(row[place.index], place)
            let padding = String(repeating: " ", count: max(0, place.width - DisplayWidth.columns(text)))
            let set = text.isEmpty || !style.showsColor ? text : row[place.index].styled(text)
            switch place.column.alignment {
            case .left: parts.append(position == places.count - 1 ? set : set + padding)
            case .right: parts.append(padding + set)
            }
        }
        return parts.joined(separator: Self.gap)
    }

    /// Returns the text of a cell. On a terminal, the text is cut to the width of its column. Right-to-left text is
    /// isolated, so that it does not reorder the cells beside it.
    private func shown(_ cell: Table.Cell, _ place: Place) -> String {
        let text = cell.text(style)
        guard style.terminal != nil else { return text }
        guard !style.isWide else { return DisplayText.isolated(text) }
        let cut =
            switch place.column.cut {
            case .end where cell.isID || cell.keepsEnd, .middle:
                DisplayWidth.truncatedInMiddle(text, toColumns: place.width)
            case .nothing, .end: DisplayWidth.truncated(text, toColumns: place.width)
            }
        return DisplayText.isolated(cut)
    }

    private func excess(_ columnsMax: Int, _ width: (Place) -> Int) -> Int {
        places.reduce(Self.gap.count * (places.count - 1) - columnsMax) { $0 + width($1) }
    }

    /// Omits empty columns, cuts IDs, and omits extra columns until the texts have their wanted widths. An incomplete
    /// ID cannot be copied, so it is cut as far as possible.
    private mutating func makeRoomForTexts(_ columnsMax: Int) {
        while places.count > 1, excess(columnsMax, \.wanted) > 0 {
            let yielding = places.indices.filter {
                places[$0].isEmpty || places[$0].column.isExtra || places[$0].hasWholeIDs
            }
            guard let least = yielding.min(by: { places[$0].yieldingOrder < places[$1].yieldingOrder }) else { break }
            if places[least].hasWholeIDs {
                places[least].width = places[least].short
            } else {
                places.remove(at: least)
            }
        }
    }

    /// Omits columns until the others fit, each cut as far as possible.
    private mutating func leaveOutColumns(_ columnsMax: Int) {
        while places.count > 1, excess(columnsMax, \.widthMin) > 0,
            let least = places.indices.min(by: { places[$0].worth < places[$1].worth })
        {
            places.remove(at: least)
        }
        if places.count == 1 {
            places[0].width = min(places[0].width, columnsMax)
        }
    }

    /// Cuts the widest text repeatedly until the line fits.
    private mutating func shrinkTexts(toColumns columnsMax: Int) {
        while case let missing = excess(columnsMax, \.width), missing > 0 {
            let shrinkable = places.indices.filter {
                places[$0].column.cut == .end && !places[$0].hasWholeIDs && places[$0].width > places[$0].widthMin
            }
            guard let widest = shrinkable.max(by: { places[$0].width < places[$1].width }) else { break }
            // The widest text shrinks to the width of the next widest one. If both have the same width, one of them
            // shrinks by one column.
            let next = shrinkable.filter { $0 != widest }.map { places[$0].width }.max() ?? 0
            let floor = max(places[widest].widthMin, min(next, places[widest].width - 1))
            places[widest].width -= min(missing, places[widest].width - floor)
        }
    }

    /// Gives IDs the room that the texts do not need.
    private mutating func widenIDs(toColumns columnsMax: Int) {
        for index in places.indices.sorted(by: { places[$0].worth > places[$1].worth }) {
            let room = max(0, -excess(columnsMax, \.width))
            places[index].width += min(room, places[index].whole - places[index].width)
        }
    }
}
