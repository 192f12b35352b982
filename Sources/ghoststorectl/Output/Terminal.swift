import Glibc

/// The properties of a descriptor's terminal.
struct Terminal {
    /// The number of columns that is assumed if the terminal does not report it.
    static let columnsDefault = 80

    let columns: Int
    let showsColor: Bool

    /// Reads the properties; `nil` if the descriptor is no terminal.
    init?(descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        columns = isKnown ? Int(size.ws_col) : Self.columnsDefault
        showsColor = !Self.forbidsColor && Environment.value("TERM") != "dumb"
    }

    /// Returns the number of lines of a descriptor's terminal; `nil` if the descriptor is no terminal or the terminal
    /// does not report it.
    static func rows(descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    /// The number of columns for wrapped text: $COLUMNS if it is set, or else the width of the terminal, or else 80.
    static var textColumns: Int {
        if let columns = Environment.value("COLUMNS").flatMap(Int.init), columns > 0 {
            return columns
        }
        return Terminal(descriptor: ProgramRun.current.output)?.columns ?? columnsDefault
    }

    /// True if NO_COLOR is set and not empty, whatever its value (https://no-color.org).
    private static var forbidsColor: Bool {
        Environment.value("NO_COLOR") != nil
    }
}

/// The emphasis of text on a terminal with colours (ECMA-48 SGR).
enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case yellow = "33"

    func applied(to text: String) -> String {
        "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
