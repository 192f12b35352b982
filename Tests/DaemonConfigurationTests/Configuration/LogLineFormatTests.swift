import Logging
import Testing

@testable import ServiceSupport

@Suite struct LogLineFormatTests {
    @Test func `a line for the journal begins with its priority`() {
        #expect(LogLineFormat.journal.line(level: .error, message: "m", metadata: [:]) == "<3>m\n")
        #expect(LogLineFormat.journal.line(level: .debug, message: "m", metadata: [:]) == "<7>m\n")
    }

    @Test func `any other line begins with the time and the level`() {
        let line = LogLineFormat.terminal.line(level: .notice, message: "m", metadata: [:])
        #expect(line.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ notice m\n$/))
    }

    @Test func `metadata is sorted, and quoted if it contains spaces`() {
        let line = LogLineFormat.journal.line(
            level: .info, message: "m", metadata: ["b": "two words", "a": "1", "c": ""])
        #expect(line == "<6>m a=1 b=\"two words\" c=\"\"\n")
    }

    @Test func `a message is one line whatever text it contains`() {
        let line = LogLineFormat.journal.line(
            level: .info, message: "a\nb\r\u{1B}[0m\u{2028}", metadata: ["k": "x\n<0>forged"])
        #expect(line == "<6>a\\u{a}b\\u{d}\\u{1b}[0m\\u{2028} k=x\\u{a}<0>forged\n")
    }

    @Test func `a change of the level applies to all loggers immediately`() {
        let control = LogLevelControl(.info)
        let handler = StandardErrorLogHandler(label: "t", control: control, format: .journal)
        control.level = .trace
        #expect(handler.logLevel == .trace)
    }
}
