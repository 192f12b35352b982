/// Builds one line of JSON, its fields in the order they are added (RFC 8259).
struct JSONObject {
    private(set) var text = "{"

    mutating func add(_ name: String, _ value: String) {
        open(name)
        JSONText.append(value, to: &text)
    }

    mutating func add(_ name: String, _ value: Bool) {
        open(name)
        text += value ? "true" : "false"
    }

    mutating func add(_ name: String, _ value: some BinaryInteger) {
        open(name)
        text += String(value)
    }

    mutating func add(_ name: String, _ values: [String]) {
        open(name)
        text += "["
        for (index, value) in values.enumerated() {
            text += index == 0 ? "" : ", "
            JSONText.append(value, to: &text)
        }
        text += "]"
    }

    mutating func add(_ name: String, _ value: JSONObject) {
        open(name)
        text += value.closed
    }

    /// A value that is JSON already.
    mutating func add(_ name: String, rawJSON value: String) {
        open(name)
        text += value
    }

    /// Leaves out what is not there.
    mutating func add(_ name: String, ifPresent value: String?) {
        if let value {
            add(name, value)
        }
    }

    /// The finished object, without a newline.
    var closed: String {
        text + "}"
    }

    private mutating func open(_ name: String) {
        if text.utf8.count > 1 {
            text += ", "
        }
        JSONText.append(name, to: &text)
        text += ": "
    }
}
