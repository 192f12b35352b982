import Glibc
import StoreBasics
import StoreClient

/// How things are shown to people: what the output is, and what was asked for.
struct DisplayStyle {
    /// `nil` when the output is no terminal: then nothing is cut, coloured or isolated.
    let terminal: Terminal?
    /// Cut nothing on a terminal either.
    let isWide: Bool
    let times: TimeStyle

    /// - Parameter times: by default those of the person at a terminal, else UTC.
    init(descriptor: Int32, isWide: Bool = false, times: TimeStyle? = nil) {
        terminal = Terminal(descriptor: descriptor)
        self.isWide = isWide
        self.times = times ?? (terminal == nil ? .utc : .local)
    }

    /// Columns of the terminal that a table must not exceed.
    var columnsMax: Int? {
        isWide ? nil : terminal?.columns
    }

    var showsColor: Bool {
        terminal?.showsColor ?? false
    }
}

/// Whose clock times are told by.
enum TimeStyle {
    /// With a Z behind them.
    case utc
    /// That of the person at the terminal ($TZ, /etc/localtime).
    case local
}

extension Timestamp {
    /// For tables: `2026-11-21 03:54:01Z`, or to the minute `2026-11-21 04:54` where it is the person's own time.
    func shortText(_ style: TimeStyle) -> String {
        let parts = parts(style)
        return switch style {
        case .utc: "\(parts.calendar.text(separator: " "))Z"
        case .local: String(parts.calendar.text(separator: " ").dropLast(":00".count))
        }
    }

    /// For one thing alone: `2026-11-21T03:54:01.000250Z`, or `2026-11-21 04:54:01.000250 +01:00`.
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
        // Rounded down, so that what is behind the point of instants before 1970 is not negative.
        let calendar = CalendarTime(secondsSinceEpoch: rest < 0 ? whole - 1 : whole, isLocal: style == .local)
        return (calendar, rest < 0 ? rest + 1_000_000 : rest)
    }
}
