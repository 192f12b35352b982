/// A value of a configuration file with the path of its key.
struct YAMLEntry: Hashable {
    enum Value: Hashable {
        case scalar(String, isPlain: Bool)
        case list([String])
    }

    /// Names from the top of the file, joined by dots.
    let key: String
    let value: Value
    let line: Int
}

/// Flattens one YAML document of nested mappings into entries. Refuses a key given twice.
enum YAMLEntries {
    /// Mappings inside each other at most.
    private static let depthMax = 4

    static func read(_ bytes: [UInt8]) throws(YAMLEvents.Problem) -> [YAMLEntry] {
        let events = try YAMLEvents(bytes)
        var entries: [YAMLEntry] = []
        let (first, _) = try events.next()
        guard first == .documentStart else { return [] }
        let (root, line) = try events.next()
        switch root {
        case .mappingStart: try readMapping(events, path: [], into: &entries)
        // A file with nothing but comments behind `---`.
        case .scalar("", isPlain: true): break
        default: throw YAMLEvents.Problem(line: line, cause: "expected keys with values at the top")
        }
        let (last, lastLine) = try events.next()
        guard last == .end else {
            throw YAMLEvents.Problem(line: lastLine, cause: "a second document begins: one file holds one")
        }
        return entries
    }

    private static func readMapping(
        _ events: YAMLEvents, path: [String], into entries: inout [YAMLEntry]
    ) throws(YAMLEvents.Problem) {
        var names: Set<String> = []
        while true {
            let (event, line) = try events.next()
            if event == .mappingEnd {
                return
            }
            guard case .scalar(let name, _) = event, !name.isEmpty, !name.contains(".") else {
                throw YAMLEvents.Problem(line: line, cause: "a key is one word")
            }
            let key = (path + [name]).joined(separator: ".")
            guard names.insert(name).inserted else {
                throw YAMLEvents.Problem(line: line, cause: "the key '\(key)' is given twice")
            }
            let (value, valueLine) = try events.next()
            switch value {
            case .scalar(let text, let isPlain):
                entries.append(YAMLEntry(key: key, value: .scalar(text, isPlain: isPlain), line: line))
            case .sequenceStart:
                entries.append(YAMLEntry(key: key, value: .list(try readList(events, of: key)), line: line))
            case .mappingStart where path.count + 1 < depthMax:
                try readMapping(events, path: path + [name], into: &entries)
            default:
                throw YAMLEvents.Problem(line: valueLine, cause: "the value of '\(key)' is nested too deeply")
            }
        }
    }

    private static func readList(_ events: YAMLEvents, of key: String) throws(YAMLEvents.Problem) -> [String] {
        var items: [String] = []
        while true {
            switch try events.next() {
            case (.sequenceEnd, _): return items
            case (.scalar(let text, _), _): items.append(text)
            case (_, let line):
                throw YAMLEvents.Problem(line: line, cause: "the list '\(key)' holds something else than text")
            }
        }
    }
}
