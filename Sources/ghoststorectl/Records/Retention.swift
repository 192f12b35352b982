import StoreClient

extension MessageTimer {
    /// The timer as a phrase: `7 d 0 h from reading`.
    var phrase: String {
        "\(Quantity.duration(milliseconds: lifetimeMilliseconds)) from \(start.rawValue)"
    }
}

extension JSONObject {
    /// Adds the fields of a timer.
    ///
    /// - Parameter prefix: The prefix of the field names.
    mutating func add(_ timer: MessageTimer?, _ prefix: String = "") {
        add(prefix + "lifetime_milliseconds", ifPresent: timer?.lifetimeMilliseconds)
        add(prefix + "lifetime_from", ifPresent: timer?.start.rawValue)
    }
}

extension JSONRecord {
    /// Reads the fields of a timer.
    ///
    /// - Parameter prefix: The prefix of the field names.
    func timer(_ prefix: String = "") throws(JSONError) -> MessageTimer? {
        let name = prefix + "lifetime_from"
        guard let lifetime = try period(prefix + "lifetime_milliseconds") else { return nil }
        let word = try optionalText(name) ?? MessageTimer.Start.sending.rawValue
        guard let start = MessageTimer.Start(rawValue: word) else {
            throw JSONError("the field '\(name)' must be sending or reading")
        }
        return MessageTimer(lifetime: lifetime, start: start)
    }

    /// Returns a number of milliseconds. Only the daemon checks the upper limit.
    func period(_ name: String) throws(JSONError) -> Duration? {
        guard let milliseconds = try optionalInteger(name) else { return nil }
        guard milliseconds > 0 else { throw JSONError("the field '\(name)' must be greater than 0") }
        return .milliseconds(milliseconds)
    }
}
