import Logging
import StoreBasics
import StoreProtocol

/// The two text forms of an entry: fields of the systemd journal, and a line of the log.
extension AuditEntry {
    /// The entry as one line for people: "administration: unlock failed (WRONG_KEY), user 1000, process 4242".
    var message: String {
        var text = kind.rawValue + ":"
        if let call {
            text += " \(call.name)"
        }
        if let count {
            text += " \(count)"
        } else {
            text += " \(outcome.rawValue)"
        }
        if let reason {
            text += " (\(reason.rawValue))"
        }
        if let slot {
            text += ", slot \(slot)"
        }
        text += ", user \(uid)"
        if let pid {
            text += ", process \(pid)"
        }
        return text
    }

    /// The parts of the entry, with the field names that docs/operations.md lists.
    var parts: [(name: String, value: String)] {
        var parts = [("OUTCOME", outcome.rawValue), ("UID", "\(uid)")]
        if let call {
            parts.append(("CALL", call.name))
        }
        if let reason {
            parts.append(("REASON", reason.rawValue))
        }
        if let pid {
            parts.append(("PID", "\(pid)"))
        }
        if let slot {
            parts.append(("SLOT", "\(slot)"))
        }
        if let count {
            parts.append(("COUNT", "\(count)"))
        }
        return parts
    }

    /// The fields for the native protocol of the systemd journal; the journal's well-known fields come first.
    var journalFields: [(name: String, value: String)] {
        let priority = level == .warning ? "4" : "5"
        return [
            ("MESSAGE", message), ("MESSAGE_ID", kind.messageID), ("PRIORITY", priority),
            ("SYSLOG_IDENTIFIER", "ghoststored"),
        ] + parts
    }

    func log(to logger: Logger) {
        var metadata: Logger.Metadata = [:]
        for (name, value) in parts {
            metadata[name.lowercased()] = "\(value)"
        }
        logger.log(level: level, "\(kind.rawValue)", metadata: metadata)
    }
}
