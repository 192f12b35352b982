import CYAML

/// The events of a YAML 1.1 stream, read with libyaml (https://pyyaml.org/wiki/LibYAML). Anchors, aliases and tags are
/// rejected, because they would make the meaning of a configuration hard to see.
package final class YAMLEvents {
    enum Event: Hashable {
        /// A scalar. A plain one may be a number or a flag; a quoted one is always text.
        case scalar(String, isPlain: Bool)
        /// An alias in place of a value. It is rejected and not resolved.
        case alias
        case mappingStart
        case mappingEnd
        case sequenceStart
        case sequenceEnd
        case documentStart
        case end
    }

    /// An error and its line, from 1.
    package struct Problem: Error, Hashable {
        package let line: Int
        package let cause: String
    }

    /// The errors in the events so far, after which reading continued.
    private(set) var refusals: [Problem] = []

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) throws(Problem) {
        input = .allocate(capacity: bytes.count)
        _ = input.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else {
            throw Problem(line: 1, cause: "there is not enough memory to read the file")
        }
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// Returns the next event and its line, from 1. Do not call it after `.end`.
    ///
    /// - Throws: a syntax error, after which nothing more can be read.
    func next() throws(Problem) -> (event: Event, line: Int) {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxProblem() }
            defer { yaml_event_delete(&event) }
            let line = Int(event.start_mark.line) + 1
            if let meaning = meaning(of: event, line: line) {
                return (meaning, line)
            }
        }
    }

    /// Skips the rest of the value that begins with the given event.
    func skip(_ first: Event) throws(Problem) {
        var depth = first.depthChange
        while depth > 0 {
            depth += try next().event.depthChange
        }
    }

    /// Returns the event; `nil` for events without information (start of the stream, end of a document).
    private func meaning(of event: yaml_event_t, line: Int) -> Event? {
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            refuse(anchor: scalar.anchor, tag: scalar.tag, line: line)
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return .scalar(String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
        case YAML_MAPPING_START_EVENT:
            refuse(anchor: event.data.mapping_start.anchor, tag: event.data.mapping_start.tag, line: line)
            return .mappingStart
        case YAML_SEQUENCE_START_EVENT:
            refuse(anchor: event.data.sequence_start.anchor, tag: event.data.sequence_start.tag, line: line)
            return .sequenceStart
        case YAML_ALIAS_EVENT:
            refuse("aliases are not supported: write the value out", line: line)
            return .alias
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_STREAM_END_EVENT: return .end
        default: return nil
        }
    }

    private func refuse(
        anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?, line: Int
    ) {
        if anchor != nil {
            refuse("anchors are not supported: write the value out", line: line)
        }
        if tag != nil {
            refuse("tags are not supported: remove the tag that begins with '!'", line: line)
        }
    }

    private func refuse(_ cause: String, line: Int) {
        refusals.append(Problem(line: line, cause: cause))
    }

    private func syntaxProblem() -> Problem {
        let cause = parser.pointee.problem.map { String(cString: $0) } ?? "the syntax is wrong"
        let mark = parser.pointee.problem_mark
        return Problem(line: Int(mark.line) + 1, cause: "the text is not valid YAML: \(cause)")
    }
}

extension YAMLEvents.Event {
    fileprivate var depthChange: Int {
        switch self {
        case .mappingStart, .sequenceStart: 1
        case .mappingEnd, .sequenceEnd: -1
        case .scalar, .alias, .documentStart, .end: 0
        }
    }
}
