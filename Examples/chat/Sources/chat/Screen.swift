import Foundation

/// The person's terminal, a line at a time. Nothing reaches it but through here.
struct Screen: Sendable {
    private let prompt: String
    private let isTerminal = isatty(STDOUT_FILENO) == 1

    init(prompt: String) {
        self.prompt = prompt
    }

    /// Shows a line above the prompt. What of a line is typed already is not lost: the terminal keeps it.
    func show(_ text: String) {
        let line = Self.printable(text)
        write(isTerminal ? "\r\u{1B}[K\(line)\n\(prompt)" : "\(line)\n")
    }

    func showPrompt() {
        write(isTerminal ? "\r\u{1B}[K\(prompt)" : "")
    }

    private func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// Texts, names and file names are what somebody else wrote. Control characters would let them move the cursor, set
    /// the window's title or type for the person; directional ones would let them reorder what stands beside them.
    static func printable(_ text: String) -> String {
        var printable = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            printable.append(isObeyed(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(printable)
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: true
        default: false
        }
    }
}
