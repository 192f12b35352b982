/// The settings of a group's stream. All devices of the group use the same stream, which several servers store in
/// files.
package struct StreamSettings: Sendable, Hashable {
    /// The first part of every subject.
    package static let subjectPrefix = "ghoststore"

    package var name: String
    /// The number of servers that store the stream: 1, 3 or 5.
    package var replicas: Int
    /// The most bytes of a message with its headers.
    package var messageBytesMax: Int
    /// The most bytes of the stream; `nil` for as much as the account allows.
    package var bytesMax: Int64?
    /// The age at which messages are deleted; `nil` to keep them.
    package var ageMax: Duration?
    /// The time in which a repeated message is detected by its message id.
    package var duplicateWindow = Duration.seconds(120)

    package init(name: String, replicas: Int = 3, messageBytesMax: Int = 1 << 20) {
        self.name = name
        self.replicas = replicas
        self.messageBytesMax = messageBytesMax
    }

    /// Returns true for 1 to 64 letters, digits, `-` and `_`, which are allowed in names of streams and in parts of
    /// subjects.
    package static func isUsableName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    /// Returns the subject of a channel: `ghoststore.<stream>.<channel>`.
    package func subject(of channel: String) -> String {
        "\(Self.subjectPrefix).\(name).\(channel)"
    }

    var allSubjects: String {
        "\(Self.subjectPrefix).\(name).>"
    }
}

/// A difference of an existing stream from the settings.
package struct StreamDifference: Sendable, Hashable, CustomStringConvertible {
    /// A setting whose difference is harmless. All other differences would make the stream lose, change or hide
    /// messages; for them, `setting` is `nil`.
    package enum Setting: String, Sendable, CaseIterable {
        case replicas
        case messageBytesMax = "message_bytes_max"
        case bytesMax = "bytes_max"
        case ageMax = "age_seconds_max"
        case duplicateWindow = "duplicate_window_seconds"
    }

    package let setting: Setting?
    package let description: String
}
