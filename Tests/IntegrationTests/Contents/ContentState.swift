import StoreClient

/// What one writer has in the store: files and directories below one of its own, and the messages of a conversation.
struct ContentState: Equatable, Sendable {
    /// The content of a file, which copies share.
    struct FileContent: Sendable {
        var bytes: ContentBytes
        /// That of the write that it is from.
        var number: Int
    }

    struct SavedMessage: Equatable, Sendable {
        var text: String
        var attachments: [ContentBytes]
    }

    /// Paths below the writer's own directory, which is "".
    var directories: Set<String> = []
    var files: [String: FileContent] = [:]
    var messages: [String: SavedMessage] = [:]

    /// Which write a content is from cannot be seen.
    static func == (left: ContentState, right: ContentState) -> Bool {
        left.directories == right.directories && left.messages == right.messages
            && left.files.mapValues(\.bytes) == right.files.mapValues(\.bytes)
    }

    var fileBytes: Int {
        files.values.reduce(0) { $0 + $1.bytes.count }
    }

    /// What is here or there only, or not the same.
    func differences(from other: ContentState) -> [String] {
        var told: [String] = directories.symmetricDifference(other.directories).sorted().map { "directory " + $0 }
        for path in Set(files.keys).union(other.files.keys).sorted() {
            let (own, others) = (files[path]?.bytes, other.files[path]?.bytes)
            if own != others {
                told.append("file \(path): \(String(describing: own)), \(String(describing: others))")
            }
        }
        for id in Set(messages.keys).union(other.messages.keys).sorted() {
            let (own, others) = (messages[id], other.messages[id])
            if own != others {
                told.append("message \(id): \(String(describing: own)), \(String(describing: others))")
            }
        }
        return told
    }

    /// The names of a path moved with what it lies in; `nil` where it does not.
    static func moved(_ path: String, from origin: String, to place: String) -> String? {
        path == origin || path.hasPrefix(origin + "/") ? place + path.dropFirst(origin.count) : nil
    }
}
