import StoreClient

/// One write of a `ContentWriter`. The store must apply it completely or not at all.
enum ContentStep: Sendable {
    case put(String, ContentBytes)
    /// Writes the file in pieces of `pieceBytes` bytes.
    case putPieces(String, ContentBytes, pieceBytes: Int)
    case append(String, ContentBytes)
    case overwrite(String, offset: Int, ContentBytes)
    /// Begins to write the file and never finishes.
    case abandon(String, ContentBytes)
    case move(String, to: String)
    case copy(String, to: String)
    case delete(String)
    case removeDirectory(String)
    case save([String: ContentState.SavedMessage])
    /// Saves a message with an attachment whose content is written first.
    case saveByDigest(String, ContentState.SavedMessage)
    case edit(String, text: String)
    case deleteMessages([String])

    /// - Parameter number: a number that no other step has.
    func apply(to state: inout ContentState, number: Int) {
        switch self {
        case .put(let path, let bytes), .putPieces(let path, let bytes, _):
            state.directories.formUnion(Self.parents(of: path))
            state.files[path] = ContentState.FileContent(bytes: bytes, number: number)
        case .append(_, let bytes), .overwrite(_, offset: _, let bytes):
            // An empty write changes nothing, so copies continue to share the content.
            guard bytes.count > 0 else { return }
            write(to: &state, number: number)
        case .move(let origin, let place) where origin != place:
            Self.copy(origin, to: place, &state)
            Self.remove(origin, &state)
        case .abandon, .move: break
        case .copy(let origin, let place): Self.copy(origin, to: place, &state)
        case .delete(let path), .removeDirectory(let path): Self.remove(path, &state)
        case .save(let messages): state.messages.merge(messages) { $1 }
        case .saveByDigest(let id, let message): state.messages[id] = message
        case .edit(let id, let text): state.messages[id]?.text = text
        case .deleteMessages(let ids): ids.forEach { state.messages[$0] = nil }
        }
    }

    private func write(to state: inout ContentState, number: Int) {
        switch self {
        case .append(let path, let bytes):
            let before = state.files[path]?.bytes.array ?? []
            state.files[path] = ContentState.FileContent(bytes: ContentBytes(before + bytes.array), number: number)
        case .overwrite(let path, let offset, let bytes):
            guard let before = state.files[path]?.bytes else { return }
            state.files[path] = ContentState.FileContent(
                bytes: before.replaced(at: offset, by: bytes), number: number)
        default: break
        }
    }

    private static func parents(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
    }

    private static func copy(_ origin: String, to place: String, _ state: inout ContentState) {
        for directory in state.directories {
            if let copied = ContentState.moved(directory, from: origin, to: place) {
                state.directories.insert(copied)
            }
        }
        for (path, content) in state.files {
            if let copied = ContentState.moved(path, from: origin, to: place) {
                state.files[copied] = content
            }
        }
    }

    private static func remove(_ path: String, _ state: inout ContentState) {
        state.directories = state.directories.filter { ContentState.moved($0, from: path, to: "") == nil }
        state.files = state.files.filter { ContentState.moved($0.key, from: path, to: "") == nil }
    }
}

extension ContentStep {
    /// Makes the write in the writer's own directory and conversation. Returns after the daemon has acknowledged it.
    func run(_ client: StoreClient, _ writer: String) async throws(StoreClientError) {
        func at(_ path: String) -> VaultPath { VaultPath(.document, "\(writer)/\(path)") }
        switch self {
        case .put(let path, let bytes): try await client.saveFile(bytes.array, at: at(path), createsParents: true)
        case .putPieces(let path, let bytes, let pieceBytes):
            var write = try await client.beginFileWrite(at: at(path), createsParents: true)
            for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
                try await write.write(Array(bytes.array[start..<min(start + pieceBytes, bytes.count)]))
            }
            try await write.finish()
        case .append(let path, let bytes): try await client.appendFile(bytes.array, at: at(path))
        case .overwrite(let path, let offset, let bytes):
            var write = try await client.beginFileWrite(at: at(path), .offset(UInt64(offset)))
            try await write.write(bytes.array)
            try await write.finish()
        case .abandon(let path, let bytes):
            var write = try await client.beginFileWrite(at: at(path), .end, createsParents: true)
            try await write.write(bytes.array)
            try await write.end()
        case .move(let origin, let place): try await client.moveFile(from: at(origin), to: at(place))
        case .copy(let origin, let place): try await client.copyFile(from: at(origin), to: at(place))
        case .delete(let path): try await client.deleteFile(at: at(path))
        case .removeDirectory(let path): try await client.removeDirectory(at: at(path), withChildren: true)
        case .save(let messages):
            try await client.saveMessages(
                messages.map { id, message in
                    Self.message(id, message, writer, message.attachments.map { .bytes($0.array) })
                })
        case .saveByDigest(let id, let message):
            var digests: [String] = []
            for content in message.attachments {
                digests.append(try await client.writeAttachment(content.array))
            }
            try await client.saveMessage(Self.message(id, message, writer, digests.map { .digest($0) }))
        case .edit(let id, let text): try await client.editMessage(id, text: text)
        case .deleteMessages(let ids): try await client.deleteMessages(ids)
        }
    }

    private static func message(
        _ id: String, _ message: ContentState.SavedMessage, _ writer: String, _ contents: [NewAttachment.Content]
    ) -> NewMessage {
        NewMessage(
            id: id, conversation: .sessionID(writer), text: message.text,
            attachments: contents.map { NewAttachment($0, name: "content", mimeType: "application/octet-stream") })
    }
}
