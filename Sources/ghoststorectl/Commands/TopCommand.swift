import ArgumentParser
import Glibc
import StoreClient

struct TopCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Show live what the daemon does: requests by call, latency, memory, clients.",
        discussion: """
            Each screen shows what happened since the previous screen. 'q' or Ctrl-C ends the command. Half of the \
            requests took no longer than the time in the column 'half'. 99 % of the requests took no longer than the \
            time in the column '99 %'. With --json it prints one object per screen.
            """)

    @Option(help: ArgumentHelp("Time between two screens, from 100ms to 1h.", valueName: "duration"))
    var interval = IntervalOption.standard

    @Flag(help: "Show one screen and end.")
    var once = false

    @OptionGroup var count: CountOption
    @OptionGroup var global: GlobalOptions

    func check() throws(CommandFailure) {
        guard !global.isQuiet else {
            throw CommandFailure(.usage, "'top' has no names to print; hint: leave out --quiet, or use 'metrics'")
        }
    }

    func run(_ session: Session) async throws {
        let client = session.client
        var before = MetricsSnapshot(try await client.metrics())
        var remaining = once ? 1 : count.count ?? .max
        try await Self.readingKeys { keys in
            while remaining > 0 {
                guard try await pause(keys) else { return }
                let now = MetricsSnapshot(try await client.metrics())
                let screen = TopScreen(try await client.status(), now, since: before)
                before = screen.metrics
                try show(screen, session.output)
                remaining -= 1
            }
        }
    }

    /// Calls `body` with a reader of single key presses, or with `nil` if standard input is no terminal in the
    /// foreground.
    private static func readingKeys(_ body: (TerminalKeys?) async throws -> Void) async throws {
        var settings = termios()
        // The kernel stops a background program that changes the terminal (termios(3)).
        let input = ProgramRun.current.input
        guard isatty(input) == 1, tcgetpgrp(input) == getpgrp(), tcgetattr(input, &settings) == 0
        else { return try await body(nil) }
        try await TerminalKeys.reading(input, settings: settings) { try await body($0) }
    }

    /// - Returns: False if the person wants to quit.
    private func pause(_ keys: TerminalKeys?) async throws -> Bool {
        guard let keys, !once else {
            try await Task.sleep(for: interval.duration)
            return true
        }
        let end = ContinuousClock.now + interval.duration
        while case let left = end - ContinuousClock.now, left > .zero {
            switch await keys.next(within: left) {
            case .key(UInt8(ascii: "q")), .key(UInt8(ascii: "Q")): return false
            case .key: continue
            case .timePassed: return true
            case .end:
                try Task.checkCancellation()
                return false
            }
        }
        return true
    }

    private func show(_ screen: TopScreen, _ output: Output) throws(CommandFailure) {
        switch output.form {
        case .people, .names: break
        case .objects, .rows:
            try output.record(screen.json, TopScreen.record, screen.json.names)
            return try output.flush()
        }
        let isLive = output.style.terminal != nil && !once
        let lines = screen.lines(
            output.style, rowsMax: isLive ? Terminal.rows(descriptor: ProgramRun.current.output) : nil)
        // Moves the cursor home, erases the rest of each line, then erases everything below (ECMA-48 CUP, EL and ED).
        try output.raw(Array((isLive ? "\u{1B}[H" : "").utf8))
        for line in lines {
            try output.line(isLive ? line + "\u{1B}[K" : line)
        }
        try output.raw(Array((isLive ? "\u{1B}[J" : once ? "" : "\n").utf8))
        try output.flush()
    }
}

/// The time between two updates, on the command line: `500ms`, `2s`, `1m`.
struct IntervalOption: ExpressibleByArgument {
    static let standard = IntervalOption(duration: .seconds(1))

    let duration: Duration

    private init(duration: Duration) {
        self.duration = duration
    }

    init?(argument: String) {
        let milliseconds =
            argument.hasSuffix("ms") ? Int64(argument.dropLast(2)) : TimeSpan.milliseconds(argument)
        guard let milliseconds, (100...3_600_000).contains(milliseconds) else { return nil }
        duration = .milliseconds(milliseconds)
    }

    var defaultValueDescription: String {
        "\(duration.components.seconds)s"
    }
}
