/// A sample of the daemon's metrics, from a line of the Prometheus text format
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
struct MetricSample: JSONRepresentable {
    let name: String
    let labels: [(name: String, value: String)]
    let value: String

    static let record = RecordForm(name: "name", ["name", "labels", "value"])

    /// Returns the samples of a text. Comments and other lines are skipped.
    static func samples(of text: String) -> [MetricSample] {
        text.split(separator: "\n").compactMap { MetricSample(line: $0) }
    }

    /// Returns the names of all metrics in their order, each once.
    static func names(of text: String) -> [String] {
        var known: Set<String> = []
        return samples(of: text).map(\.name).filter { known.insert($0).inserted }
    }

    init?(line: Substring) {
        guard !line.hasPrefix("#"), let space = line.lastIndex(of: " ") else { return nil }
        let series = line[..<space]
        value = String(line[line.index(after: space)...])
        guard let brace = series.firstIndex(of: "{"), series.hasSuffix("}") else {
            name = String(series)
            labels = []
            return
        }
        name = String(series[..<brace])
        labels = Self.labels(of: series[series.index(after: brace)...].dropLast())
    }

    /// Parses labels of the form `a="1",b="two"`. A backslash makes the following character literal; `\n` is a line
    /// feed.
    private static func labels(of text: Substring) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var (name, value) = ("", "")
        var (isInValue, isEscaped) = (false, false)
        for character in text {
            if isEscaped {
                value.append(character == "n" ? "\n" : character)
                isEscaped = false
            } else if isInValue, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                if isInValue {
                    found.append((name, value))
                    (name, value) = ("", "")
                }
                isInValue.toggle()
            } else if isInValue {
                value.append(character)
            } else if character != ",", character != "=" {
                name.append(character)
            }
        }
        return found
    }

    var json: JSONObject {
        var object: JSONObject = ["name": name]
        var labelObject = JSONObject()
        for label in labels {
            labelObject.add(label.name, label.value)
        }
        object.add("labels", labelObject)
        if let number = Int64(value) {
            object.add("value", number)
        } else if let number = Double(value), number.isFinite {
            object.add("value", DecimalText(number))
        } else {
            object.add("value", value)
        }
        return object
    }
}

/// A number with decimals as JSON writes it; `null` if JSON has no number for it.
struct DecimalText: JSONWritable {
    private let number: Double

    init(_ number: Double) {
        self.number = number
    }

    func appendJSON(to text: inout String) {
        text += number.isFinite ? number.description : "null"
    }
}
