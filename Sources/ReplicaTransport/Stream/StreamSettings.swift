/// The stream of a group: one for all its devices, kept by several servers in files.
package struct StreamSettings: Sendable, Hashable {
    /// The first part of every subject.
    package static let subjectPrefix = "ghoststore"

    package var name: String
    /// How many servers keep it: 1, 3 or 5.
    package var replicas: Int
    /// Of a message with its headers.
    package var messageBytesMax: Int
    /// `nil` for as much as the account has.
    package var bytesMax: Int64?
    /// `nil` for as long as the stream exists.
    package var ageMax: Duration?
    /// How long a repetition is noticed by its message id.
    package var duplicateWindow = Duration.seconds(120)

    package init(name: String, replicas: Int = 3, messageBytesMax: Int = 1 << 20) {
        self.name = name
        self.replicas = replicas
        self.messageBytesMax = messageBytesMax
    }

    /// Letters, digits, `-` and `_`: what a stream's name and a part of a subject may both be.
    package static func isUsableName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    /// `ghoststore.<stream>.<channel>`.
    package func subject(of channel: String) -> String {
        "\(Self.subjectPrefix).\(name).\(channel)"
    }

    var allSubjects: String {
        "\(Self.subjectPrefix).\(name).>"
    }
}

/// What a stream that is there has otherwise than the settings say.
package struct StreamDifference: Sendable, Hashable, CustomStringConvertible {
    /// What may differ without harm; `nil` for what may not: with it the stream would lose, change or hide messages.
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
