import Glibc

/// What is known of the terminal behind a descriptor.
struct Terminal {
    /// Columns assumed when the terminal does not tell.
    static let columnsDefault = 80

    let columns: Int
    let showsColor: Bool

    /// `nil` when the descriptor is no terminal.
    init?(descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        columns = isKnown ? Int(size.ws_col) : Self.columnsDefault
        showsColor = !Self.forbidsColor && Environment.value("TERM") != "dumb"
    }

    /// Lines of the terminal behind a descriptor; `nil` when it is none or does not tell.
    static func rows(descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    /// Columns of text that is wrapped wherever it goes: those asked for ($COLUMNS), those of the terminal, or 80.
    static var textColumns: Int {
        if let columns = Environment.value("COLUMNS").flatMap(Int.init), columns > 0 {
            return columns
        }
        return Terminal(descriptor: ProgramRun.current.output)?.columns ?? columnsDefault
    }

    /// https://no-color.org: present and not empty, whatever its value.
    private static var forbidsColor: Bool {
        Environment.value("NO_COLOR") != nil
    }
}

/// How a piece of text is set off on a terminal with colours (ECMA-48 SGR).
enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case yellow = "33"

    func applied(to text: String) -> String {
        "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
