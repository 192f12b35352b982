import StoreBasics

@testable import StoreEngine

/// Everything that a store reports: contents, changes, counts, quotas, files and results of searches.
struct StoreTold: Equatable {
    /// `nil` after changes were compacted, because `StoreContents` needs every change since the store was created.
    private var contents: StoreContents?
    private let statistics: Statistics
    private let usage: [[FileAreaUsage]]
    private let files: [String]
    private let found: [[String]]

    init(_ engine: StoreEngine, _ reader: StoreReader) throws {
        contents = try Self.contents(reader)
        statistics = try engine.statistics()
        usage = [engine.fileUsage, try reader.fileUsage()]
        files = try FileArea.allCases.flatMap { try Self.files(in: .root(of: $0), reader) }
        found = try ["word", "edited other", "text w*"].map { try Self.search($0, reader) }
    }

    private static func contents(_ reader: StoreReader) throws(StoreError) -> StoreContents? {
        do throws(StoreError) {
            return try StoreContents(reader)
        } catch {
            guard error.reason == .changesCompacted else { throw error }
            return nil
        }
    }

    private static func files(in directory: FilePath, _ reader: StoreReader) throws(StoreError) -> [String] {
        var lines: [String] = []
        for item in try reader.files(in: directory, limit: 1_000, cursor: nil).items {
            let path = directory.appending(item.name)
            lines.append("\(path.text): \(item)")
            switch item.kind {
            case .directory: lines += try files(in: path, reader)
            case .file: lines.append("\(try reader.readFile(at: path, byteCount: 10_000).bytes)")
            }
        }
        return lines
    }

    /// Searches for a text.
    ///
    /// - Returns: the ids of all messages that contain the text.
    private static func search(_ text: String, _ reader: StoreReader) throws -> [String] {
        var ids: [String] = []
        var search = MessageSearch(try SearchQuery(text))
        // A page may end early on a busy machine.
        for _ in 0..<1_000 {
            let (found, end) = try page(search, reader)
            ids += found
            guard let end, end.hasMore else { return ids }
            search.before = end.last
        }
        throw StoreError(.internal, "a search has no end")
    }

    private static func page(
        _ search: MessageSearch, _ reader: StoreReader
    ) throws(StoreError) -> ([String], MessagePageEnd?) {
        var ids: [String] = []
        let end = try reader.searchMessages(search) { found in
            ids.append(String(decoding: found.message.id, as: UTF8.self))
            return .goOn
        }
        return (ids, end)
    }

    /// Returns a copy in which conversations have other ids.
    func renaming(_ names: [String: String]) -> StoreTold {
        var told = self
        told.contents = contents?.renaming { EntityID(trusted: names[$0.text] ?? $0.text) }
        return told
    }

    /// Returns the names of the parts that differ.
    func differences(from other: StoreTold) -> [String] {
        var parts: [String] = []
        if let contents, let others = other.contents {
            parts += contents.differences(from: others)
        } else if (contents == nil) != (other.contents == nil) {
            parts.append("compaction")
        }
        if statistics != other.statistics { parts.append("statistics \(statistics) and \(other.statistics)") }
        if usage != other.usage { parts.append("file usage \(usage) and \(other.usage)") }
        if files != other.files { parts.append("files \(files) and \(other.files)") }
        if found != other.found { parts.append("found messages \(found) and \(other.found)") }
        return parts
    }
}

extension StoreContents {
    fileprivate func renaming(_ name: (EntityID) -> EntityID) -> StoreContents {
        var renamed = self
        for index in conversations.indices {
            renamed.conversations[index].id = name(conversations[index].id)
        }
        for index in messages.indices {
            renamed.messages[index].conversationID = name(messages[index].conversationID)
        }
        for index in drafts.indices {
            renamed.drafts[index].conversationID = name(drafts[index].conversationID)
        }
        for index in changes.indices {
            renamed.changes[index].id = name(EntityID(trusted: changes[index].id)).text
            renamed.changes[index].parent = name(EntityID(trusted: changes[index].parent)).text
        }
        return renamed
    }
}
