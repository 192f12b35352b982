import StoreClient

/// The data of one writer: the files and directories below its own directory, and the messages of its conversation.
struct ContentState: Equatable, Sendable {
    /// The content of a file. Copies of the file share it.
    struct FileContent: Sendable {
        var bytes: ContentBytes
        /// The number of the write that created the content.
        var number: Int
    }

    struct SavedMessage: Equatable, Sendable {
        var text: String
        var attachments: [ContentBytes]
    }

    /// Paths below the writer's own directory. The directory itself is "".
    var directories: Set<String> = []
    var files: [String: FileContent] = [:]
    var messages: [String: SavedMessage] = [:]

    /// Ignores `number`, because a store does not show which write a content is from.
    static func == (left: ContentState, right: ContentState) -> Bool {
        left.directories == right.directories && left.messages == right.messages
            && left.files.mapValues(\.bytes) == right.files.mapValues(\.bytes)
    }

    var fileBytes: Int {
        files.values.reduce(0) { $0 + $1.bytes.count }
    }

    /// Returns descriptions of everything that exists on one side only, or differs.
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

    /// Returns the new path of an item when `origin` is moved to `place`, or `nil` if the item is not inside `origin`.
    static func moved(_ path: String, from origin: String, to place: String) -> String? {
        path == origin || path.hasPrefix(origin + "/") ? place + path.dropFirst(origin.count) : nil
    }
}
