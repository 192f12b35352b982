import Glibc
import StoreBasics

/// Asks for lines at a terminal, with a cursor, the lines before and completion.
struct LineEditor {
    enum Answer {
        case line(String)
        /// Ctrl-C: nothing is to be done with what was typed.
        case interrupted
        /// Ctrl-D at the beginning, or the terminal is gone.
        case end
    }

    /// Bracketed paste of xterm: what is pasted comes between two sequences, and nothing of it is a key.
    private static let (pasteOn, pasteOff) = ("\u{1B}[?2004h", "\u{1B}[?2004l")
    private static let words = TerminalHold.Words(farewell: pasteOff, greeting: pasteOn)
    /// Below this a prompt of one letter leaves more room.
    private static let columnsOfFullPrompt = 40

    private let keys: TerminalKeys
    private let prompt: String
    /// Those of the window, and where in it the cursor stood, when it was drawn last.
    private var drawn = (columns: 0, cursor: 0, width: 0)

    /// - Parameter history: lines to go back to, the oldest first.
    static func ask(_ prompt: String, _ history: [String]) async throws -> Answer {
        var settings = termios()
        guard tcgetattr(ProgramRun.current.input, &settings) == 0 else { return .end }
        return try await TerminalKeys.reading(ProgramRun.current.input, settings: settings, hasSignals: false, words) {
            ShellInterrupts.forget()
            var editor = LineEditor(keys: $0, prompt: prompt)
            try editor.write(pasteOn)
            defer { try? editor.write(pasteOff) }
            return try await editor.edit(history)
        }
    }

    private init(keys: TerminalKeys, prompt: String) {
        self.keys = keys
        self.prompt = prompt
    }

    private mutating func edit(_ history: [String]) async throws -> Answer {
        // What is typed anew stands behind the lines before.
        var lines = history + [""]
        var place = lines.count - 1
        var line = EditedLine()
        var decoder = KeyDecoder()
        try draw(line)
        while true {
            let bytes: [UInt8]
            switch await keys.next(atMost: decoder.bytesWanted) {
            case .bytes(let typed): bytes = typed
            case .resized:
                try draw(line)
                continue
            case .timePassed, .end: return .end
            }
            for byte in bytes {
                guard let key = decoder.key(byte) else { continue }
                switch key {
                case .up, .down:
                    let next = key == .up ? place - 1 : place + 1
                    guard lines.indices.contains(next) else { continue }
                    lines[place] = line.text
                    place = next
                    line.replace(with: lines[place])
                case .tab: try await complete(&line)
                default:
                    if let answer = try answer(to: key, &line) {
                        return answer
                    }
                }
            }
            if !decoder.isPasting, !keys.hasMore {
                try draw(line)
            }
        }
    }

    /// `nil` for a key that changes the line and does not end it.
    private mutating func answer(to key: EditedLine.Key, _ line: inout EditedLine) throws -> Answer? {
        switch key {
        case .enter:
            try draw(line)
            try write("\n")
            return .line(line.text)
        case .interrupt:
            try draw(line)
            try write("^C\n")
            return .interrupted
        case .endOfInput where line.characters.isEmpty:
            try write("\n")
            return .end
        case .endOfInput: line.take(.delete)
        case .clearScreen: try write("\u{1B}[H\u{1B}[2J")
        case .stop: TerminalHold.stopProgram()
        case .overlongPaste:
            try draw(line)
            try write("\n")
            Diagnostics.warn(
                "the pasted text is longer than \(Quantity.bytes(UInt64(KeyDecoder.pasteBytesMax))), and was not "
                    + "accepted; hint: give the shell a file of commands as its input")
            drawn.columns = 0
        case .text, .paste, .left, .right, .home, .end, .wordLeft, .wordRight, .backspace, .delete, .deleteToEnd,
            .deleteToStart, .deleteWord, .putBack, .up, .down, .tab:
            line.take(key)
        }
        return nil
    }

    /// Puts in what is sure; where nothing is, shows what there is to choose from.
    private mutating func complete(_ line: inout EditedLine) async throws {
        let found = await ShellCompletion(line.front).find()
        guard found.missing.isEmpty else { return line.insert(found.missing) }
        guard found.candidates.count > 1 else { return }
        let rows = TextFill.lines(found.candidates.map(DisplayText.neutralized), columns: columns)
        try draw(line)
        try write("\n" + rows.joined(separator: "\n") + "\n")
        drawn.columns = 0
    }

    private var columns: Int {
        Terminal(descriptor: ProgramRun.current.output)?.columns ?? Terminal.columnsDefault
    }

    /// The line anew from its first column on, and the cursor in its place (ECMA-48 CUU, ED and CUF).
    private mutating func draw(_ line: EditedLine) throws {
        let columns = columns
        let prompt = columns < Self.columnsOfFullPrompt ? "> " : prompt
        let (text, cursorColumn) = line.window(columns: max(4, columns - DisplayWidth.columns(prompt)))
        let cursor = DisplayWidth.columns(prompt) + cursorColumn
        // A terminal that became narrower has wrapped what stood there.
        let rowsAbove = drawn.columns > columns && drawn.width > columns ? drawn.cursor / max(1, columns) : 0
        let up = rowsAbove > 0 ? "\u{1B}[\(rowsAbove)A" : ""
        try write("\(up)\r\u{1B}[J\(prompt)\(text)\r\u{1B}[\(cursor)C")
        drawn = (columns, cursor, DisplayWidth.columns(prompt + text))
    }

    private func write(_ text: String) throws {
        try FileDescriptorCalls.write(ProgramRun.current.output, Array(text.utf8))
    }
}
