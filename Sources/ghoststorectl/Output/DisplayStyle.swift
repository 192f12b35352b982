import Glibc
import StoreBasics
import StoreClient

/// The way values are shown to people. It depends on the kind of output and on the options.
struct DisplayStyle {
    /// The terminal; `nil` if the output is no terminal. Without one, nothing is cut, coloured or isolated.
    let terminal: Terminal?
    /// True to cut nothing even on a terminal.
    let isWide: Bool
    let times: TimeStyle

    /// - Parameter times: By default, times are in the person's time zone on a terminal and in UTC elsewhere.
    init(descriptor: Int32, isWide: Bool = false, times: TimeStyle? = nil) {
        terminal = Terminal(descriptor: descriptor)
        self.isWide = isWide
        self.times = times ?? (terminal == nil ? .utc : .local)
    }

    /// The number of terminal columns that a table must not exceed.
    var columnsMax: Int? {
        isWide ? nil : terminal?.columns
    }

    var showsColor: Bool {
        terminal?.showsColor ?? false
    }
}

/// The time zone in which times are shown.
enum TimeStyle {
    /// UTC, with a Z after the time.
    case utc
    /// The time zone of the person at the terminal ($TZ, /etc/localtime).
    case local
}

extension Timestamp {
    /// Returns the time for a table: `2026-11-21 03:54:01Z`, or without seconds `2026-11-21 04:54` in the person's time
    /// zone.
    func shortText(_ style: TimeStyle) -> String {
        let parts = parts(style)
        return switch style {
        case .utc: "\(parts.calendar.text(separator: " "))Z"
        case .local: String(parts.calendar.text(separator: " ").dropLast(":00".count))
        }
    }

    /// Returns the time for a single entry: `2026-11-21T03:54:01.000250Z`, or `2026-11-21 04:54:01.000250 +01:00`.
    func longText(_ style: TimeStyle) -> String {
        guard style == .local else { return description }
        let parts = parts(style)
        let minutes = abs(parts.calendar.offsetSeconds / 60)
        let sign = parts.calendar.offsetSeconds < 0 ? "-" : "+"
        return "\(parts.calendar.text(separator: " ")).\(parts.microsecond, width: 6) "
            + "\(sign)\(minutes / 60, width: 2):\(minutes % 60, width: 2)"
    }

    private func parts(_ style: TimeStyle) -> (calendar: CalendarTime, microsecond: Int64) {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // The whole seconds are rounded down, so that the fraction of an instant before 1970 is not negative.
        let calendar = CalendarTime(secondsSinceEpoch: rest < 0 ? whole - 1 : whole, isLocal: style == .local)
        return (calendar, rest < 0 ? rest + 1_000_000 : rest)
    }
}
