/// A value of a configuration file with the path of its key.
package struct YAMLEntry: Hashable {
    package enum Value: Hashable {
        case scalar(String, isPlain: Bool)
        case list([Item])
    }

    package struct Item: Hashable {
        package let text: String
        package let line: Int
    }

    /// The names from the top of the file, joined by dots.
    package let key: String
    package let value: Value
    package let line: Int
}

/// A YAML document of nested mappings, flattened into entries. Duplicate keys are rejected.
package struct YAMLEntries {
    /// The deepest nesting of mappings.
    private static let depthMax = 4

    /// The valid entries, even if other parts of the document have errors.
    package private(set) var entries: [YAMLEntry] = []
    package private(set) var problems: [YAMLEvents.Problem] = []

    package init(_ bytes: [UInt8]) {
        do throws(YAMLEvents.Problem) {
            let events = try YAMLEvents(bytes)
            let failure = readDocument(events)
            problems += events.refusals + (failure.map { [$0] } ?? [])
        } catch {
            problems.append(error)
        }
    }

    /// Reads the document. Returns the error that ended the reading early, if any.
    private mutating func readDocument(_ events: YAMLEvents) -> YAMLEvents.Problem? {
        do throws(YAMLEvents.Problem) {
            let (first, _) = try events.next()
            guard first == .documentStart else { return nil }
            let (root, line) = try events.next()
            switch root {
            case .mappingStart: try readMapping(events, path: [])
            // The file contains only comments after `---`.
            case .scalar("", isPlain: true): break
            default:
                refuse("expected keys with values at the top level", line: line)
                try events.skip(root)
            }
            let (last, lastLine) = try events.next()
            if last != .end {
                refuse("a second YAML document begins here: put everything into one document", line: lastLine)
            }
            return nil
        } catch {
            return error
        }
    }

    private mutating func readMapping(_ events: YAMLEvents, path: [String]) throws(YAMLEvents.Problem) {
        var names: Set<String> = []
        while true {
            let (event, line) = try events.next()
            if event == .mappingEnd {
                return
            }
            guard case .scalar(let name, _) = event, !name.isEmpty, !name.contains(".") else {
                refuse("a key must be a single word", line: line)
                try events.skip(event)
                try events.skip(events.next().event)
                continue
            }
            let key = (path + [name]).joined(separator: ".")
            guard names.insert(name).inserted else {
                refuse("the key '\(key)' is given twice", line: line)
                try events.skip(events.next().event)
                continue
            }
            try readValue(events, of: key, line: line, path: path + [name])
        }
    }

    /// Reads the value of a key, and adds its entry, or the entries of a nested mapping.
    ///
    /// - Parameter line: the line of the key.
    private mutating func readValue(
        _ events: YAMLEvents, of key: String, line: Int, path: [String]
    ) throws(YAMLEvents.Problem) {
        let (value, valueLine) = try events.next()
        switch value {
        case .scalar(let text, let isPlain):
            entries.append(YAMLEntry(key: key, value: .scalar(text, isPlain: isPlain), line: line))
        case .sequenceStart:
            entries.append(YAMLEntry(key: key, value: .list(try readList(events, of: key)), line: line))
        case .mappingStart where path.count < Self.depthMax:
            try readMapping(events, path: path)
        case .mappingStart:
            refuse("the value of '\(key)' is nested too deeply", line: valueLine)
            try events.skip(value)
        // An alias was already rejected. The other events cannot occur in place of a value.
        case .alias, .mappingEnd, .sequenceEnd, .documentStart, .end: break
        }
    }

    private mutating func readList(
        _ events: YAMLEvents, of key: String
    ) throws(YAMLEvents.Problem) -> [YAMLEntry.Item] {
        var items: [YAMLEntry.Item] = []
        while true {
            let (event, line) = try events.next()
            switch event {
            case .sequenceEnd: return items
            case .scalar(let text, _): items.append(YAMLEntry.Item(text: text, line: line))
            case .alias: break
            case .mappingStart, .mappingEnd, .sequenceStart, .documentStart, .end:
                refuse("the list '\(key)' has an item that is not text", line: line)
                try events.skip(event)
            }
        }
    }

    private mutating func refuse(_ cause: String, line: Int) {
        problems.append(YAMLEvents.Problem(line: line, cause: cause))
    }
}
