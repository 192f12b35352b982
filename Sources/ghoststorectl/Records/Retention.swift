import StoreClient

extension MessageTimer {
    /// `7 d 0 h from reading`.
    var phrase: String {
        "\(Quantity.duration(milliseconds: lifetimeMilliseconds)) from \(start.rawValue)"
    }
}

extension JSONObject {
    /// - Parameter prefix: of the names.
    mutating func add(_ timer: MessageTimer?, _ prefix: String = "") {
        add(prefix + "lifetime_milliseconds", ifPresent: timer?.lifetimeMilliseconds)
        add(prefix + "lifetime_from", ifPresent: timer?.start.rawValue)
    }
}

extension JSONRecord {
    /// - Parameter prefix: of the names.
    func timer(_ prefix: String = "") throws(JSONError) -> MessageTimer? {
        let name = prefix + "lifetime_from"
        guard let lifetime = try period(prefix + "lifetime_milliseconds") else { return nil }
        let word = try optionalText(name) ?? MessageTimer.Start.sending.rawValue
        guard let start = MessageTimer.Start(rawValue: word) else {
            throw JSONError("the field '\(name)' must be sending or reading")
        }
        return MessageTimer(lifetime: lifetime, start: start)
    }

    /// A number of milliseconds; the daemon knows the most that it may be.
    func period(_ name: String) throws(JSONError) -> Duration? {
        guard let milliseconds = try optionalInteger(name) else { return nil }
        guard milliseconds > 0 else { throw JSONError("the field '\(name)' must be greater than 0") }
        return .milliseconds(milliseconds)
    }
}
