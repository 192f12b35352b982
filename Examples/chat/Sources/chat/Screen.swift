import Foundation

/// The person's terminal. All output of the chat goes through this type.
struct Screen: Sendable {
    private let prompt: String
    private let isTerminal = isatty(STDOUT_FILENO) == 1

    init(prompt: String) {
        self.prompt = prompt
    }

    /// Shows a line above the prompt. The terminal keeps the part of a line that is already typed.
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

    /// Replaces the characters that a terminal would obey. Other people write the texts, names and file names that are
    /// shown. With control characters they could move the cursor, set the title of the window or enter text, and with
    /// directional characters they could reorder the text around them.
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
