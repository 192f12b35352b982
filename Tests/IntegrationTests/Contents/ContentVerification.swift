import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// Compares the answers that writers received with the content of the store.
struct ContentVerification {
    /// The size up to which the database itself holds a content.
    private static let inlineBytesMax = 65_536

    let client: StoreClient
    let daemon: TestDaemon

    /// Expects that the store contains every write that was acknowledged by a given time, with or without the write
    /// that each writer had in progress, and nothing else.
    ///
    /// - Parameter time: a time of the writers' clock.
    /// - Returns: the state of each writer, in the order of `logs`.
    func expect(_ logs: [ContentWriter.Log], at time: Int, _ comment: Comment) async throws -> [ContentState] {
        #expect(logs.flatMap(\.refusals) == [], comment)
        var states: [ContentState] = []
        for log in logs {
            let found = try await state(of: log.writer.name)
            let possible = log.states(at: time)
            let match = possible.last { $0 == found }
            let told = possible.map { "\($0.differences(from: found))" }.joined(separator: "; or ")
            states.append(
                try #require(match, "\(comment): \(log.writer.name) expected, found: \(told); \(lastSteps(log))"))
        }
        try await expectSearch(states, comment)
        try await expectNoOrphans(states, comment)
        let findings = try await client.checkStore().findings
        #expect(findings == [], comment)
        try await expectUsable(comment)
        return states
    }

    private func lastSteps(_ log: ContentWriter.Log) -> String {
        "\(log.steps.suffix(3))".prefix(2_000).description
    }

    // MARK: Reading

    func state(of writer: String) async throws -> ContentState {
        var state = ContentState()
        try await read("", below: VaultPath(.document, writer), &state)
        var places: [(id: String, position: Int)] = []
        for message in try await client.allMessages(writer) {
            let none = message.attachments.map { _ in ContentBytes([]) }
            state.messages[message.id] = ContentState.SavedMessage(text: message.text, attachments: none)
            places += message.attachments.indices.map { (message.id, $0) }
        }
        for (id, position) in places {
            let bytes = try await client.readAttachment(of: id, at: position)
            state.messages[id]?.attachments[position] = ContentBytes(bytes)
        }
        return state
    }

    private func read(_ path: String, below root: VaultPath, _ state: inout ContentState) async throws {
        let place = path.isEmpty ? root : root.appending(path)
        for item in try await items(in: place, isRoot: path.isEmpty) {
            let name = path.isEmpty ? item.name : "\(path)/\(item.name)"
            switch item.kind {
            case .directory:
                state.directories.insert(name)
                try await read(name, below: root, &state)
            default:
                let bytes = try await client.readFile(at: VaultPath(root.area, "\(root.subpath)/\(name)"))
                #expect(bytes.count == Int(item.contentBytes))
                state.files[name] = ContentState.FileContent(bytes: ContentBytes(bytes), number: -1)
            }
        }
    }

    /// Returns the items of a directory. A writer without an acknowledged write has no directory, and so no items.
    private func items(in directory: VaultPath, isRoot: Bool) async throws(StoreClientError) -> [VaultItem] {
        do throws(StoreClientError) {
            return try await client.vaultItems(in: directory).collect()
        } catch {
            guard isRoot, error.reason == .directoryNotFound else { throw error }
            return []
        }
    }

    // MARK: Search

    /// Expects that each of several queries finds exactly the messages whose texts match it.
    private func expectSearch(_ states: [ContentState], _ comment: Comment) async throws {
        var texts: [String: String] = [:]
        for state in states {
            texts.merge(state.messages.mapValues { " " + $0.text + " " }) { $1 }
        }
        let queries: [(query: String, holds: (String) -> Bool)] = [
            ("amber", { $0.contains(" amber ") }), ("juniper", { $0.contains(" juniper ") }),
            ("\"birch cedar\"", { $0.contains(" birch cedar ") }), ("ha*", { $0.contains(" ha") }),
            ("delta NOT ember", { $0.contains(" delta ") && !$0.contains(" ember ") }),
            ("fjord OR grove", { $0.contains(" fjord ") || $0.contains(" grove ") }),
        ]
        for (query, holds) in queries {
            let found: [String] = try await client.searchMessages(query).collect().map { $0.message.id }
            let expected: [String] = texts.filter { holds($0.value) }.map { $0.key }
            #expect(found.sorted() == expected.sorted(), "\(comment): \(query)")
        }
    }

    // MARK: The folder of the vault

    /// Expects that the vault has exactly one file for each content that is too large for the database, with the right
    /// number of chunks. It may also have files of attachments that were written but not saved, because the daemon
    /// keeps such files for an hour.
    func expectNoOrphans(_ states: [ContentState], _ comment: Comment) async throws {
        var contents: [Int: Int] = [:]
        for content in states.flatMap(\.files.values) where content.bytes.count > Self.inlineBytesMax {
            contents[content.number] = content.bytes.count
        }
        var attached: [ContentBytes] = []
        for bytes in states.flatMap(\.messages.values).flatMap(\.attachments) where !attached.contains(bytes) {
            attached.append(bytes)
        }
        let large = attached.filter { $0.count > Self.inlineBytesMax }
        let unsaved = try await client.attachmentUsage().storedCount - attached.count
        #expect(unsaved >= 0, comment)
        let sizes: [Int] = Array(contents.values) + large.map(\.count)
        let expected: [Int] = sizes.map { ($0 + 65_535) / 65_536 }.sorted()
        func hasNoOrphans(_ found: [Int]) -> Bool {
            Self.difference(found, expected).map { $0.count <= unsaved } ?? false
        }
        try? await eventually("the vault has no more than the database") { hasNoOrphans(usedSlots()) }
        let found = usedSlots()
        #expect(
            hasNoOrphans(found),
            "\(comment): slots of files \(found), \(expected) and \(unsaved); \(daemon.log.suffix(2_000))")
    }

    /// Returns the numbers of chunks in the files of the vault, sorted.
    private func usedSlots() -> [Int] {
        StateFiles(daemon.stateDirectory + "/vault").contents.values.map(Self.usedSlots).sorted()
    }

    /// Returns `list` without the elements of `other`, or `nil` if an element of `other` is missing from it.
    private static func difference(_ list: [Int], _ other: [Int]) -> [Int]? {
        var left = list
        for element in other {
            guard let index = left.firstIndex(of: element) else { return nil }
            left.remove(at: index)
        }
        return left
    }

    /// Returns the number of chunks in a file of the vault. Free slots between the chunks do not count. They contain
    /// only zeros.
    private static func usedSlots(_ file: [UInt8]) -> Int {
        let headerBytes = 64
        guard file.count > headerBytes else { return 0 }
        let slotBytes = 65_536 + (file[9] == 1 ? 28 : 40)
        let zeros = [UInt8](repeating: 0, count: slotBytes)
        return stride(from: headerBytes, to: file.count, by: slotBytes).count { start in
            let slot = ContentBytes(Array(file[start..<min(start + slotBytes, file.count)]))
            return slot != ContentBytes(Array(zeros.prefix(slot.count)))
        }
    }

    /// Expects that files left by a crash do not prevent new writes.
    private func expectUsable(_ comment: Comment) async throws {
        var random = SplitMix(seed: 1)
        let bytes = ContentBytes(300_000, &random)
        let path = VaultPath(.document, "usable")
        try await client.saveFile(bytes.array, at: path)
        #expect(try await ContentBytes(client.readFile(at: path)) == bytes, comment)
        try await client.deleteFile(at: path)
        #expect(try await client.status().storeState == .open, comment)
    }
}
