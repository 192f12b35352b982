import FoundationEssentials
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

/// A promise of the protocol, written as calls and the expected parts of their responses.
///
/// A line that begins with a name makes a call: `save_message {…}`, with JSON. `key=TEXT ` before the name sets an
/// idempotency key. A line that begins with `->` contains the expected result of the previous call, or the reason of an
/// error, and pieces of JSON that the response must contain (`"created_count":1`) or, after a `!`, must not contain. A
/// call without such a line must succeed. A line that begins with a space continues the line before it. `$field` in a
/// call stands for the value of this field in the last response that had this field.
struct Scenario: CustomTestStringConvertible, Sendable {
    let name: String
    let lines: [String]

    var testDescription: String { name }

    init(_ name: String, _ text: String) {
        self.name = name
        lines = Self.lines(text)
    }

    /// Splits a text into lines. A line that begins with a space continues the line before it.
    static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").reduce(into: []) { lines, line in
            if line.hasPrefix(" "), let last = lines.popLast() {
                lines.append(last + line.drop { $0 == " " })
            } else {
                lines.append(String(line))
            }
        }
    }

    func run(on connection: RawConnection) throws {
        let caller = Caller(connection)
        var answer: WireResponse?
        for line in lines {
            if line.hasPrefix("->") {
                try check(try unwrap(answer), line)
                answer = nil
            } else {
                try answer.map(expectNoError)
                answer = try caller.call(line)
            }
        }
        try answer.map(expectNoError)
    }

    /// A caller whose calls may refer to values of earlier responses.
    final class Caller {
        private let connection: RawConnection
        private var seen: [Substring: Substring] = [:]

        init(_ connection: RawConnection) {
            self.connection = connection
        }

        func call(_ line: String) throws -> WireResponse {
            let line = line.replacing(/\$([a-z_]+)/) { seen[$0.output.1] ?? $0.output.0 }
            let answer = try Scenario.call(line, on: connection)
            for field in try Scenario.json(answer).matches(of: /"([a-z_]+)":"([^"]*)"/) {
                seen[field.output.1] = field.output.2
            }
            return answer
        }
    }

    /// Makes the call of a line and returns its last response.
    static func call(_ line: String, on connection: RawConnection) throws -> WireResponse {
        try connection.send(try request(line))
        var answer = try connection.receive()
        while answer.more {
            answer = try connection.receive()
        }
        return answer
    }

    static func request(_ line: String) throws -> WireRequest {
        var words = line.split(separator: " ", maxSplits: 1)
        var key = ""
        if line.hasPrefix("key=") {
            key = String(try unwrap(words.first).dropFirst(4))
            words = try unwrap(words.last).split(separator: " ", maxSplits: 1)
        }
        var request = try WireRequest(jsonString: "{\"\(try unwrap(words.first))\": \(try unwrap(words.last))}")
        request.id = 1
        request.idempotencyKey = Data(key.utf8)
        return request
    }

    private func expectNoError(_ answer: WireResponse) throws {
        #expect(answer.error.reason.isEmpty, "\(name): \(answer)")
    }

    private func check(_ answer: WireResponse, _ line: String) throws {
        let words = line.split(separator: " ").dropFirst()
        let json = try Self.json(answer)
        let result = try answer.resultName == "error" ? answer.error.reason : answer.resultName
        #expect(result == words.first.map(String.init), "\(name): \(json)")
        for word in words.dropFirst() {
            let isUnwanted = word.hasPrefix("!")
            #expect(json.contains(isUnwanted ? word.dropFirst() : word) != isUnwanted, "\(name): \(line) \(json)")
        }
    }

    static func json(_ answer: WireResponse) throws -> String {
        var options = JSONEncodingOptions()
        options.preserveProtoFieldNames = true
        return try answer.jsonString(options: options)
    }
}
