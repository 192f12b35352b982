import ArgumentParser
import Glibc
import StoreClient

/// A file of this machine to attach to a message or draft: `FILE` or `FILE:TYPE`.
struct AttachedFile: ExpressibleByArgument {
    private static let typeByDefault = "application/octet-stream"

    /// The word on the command line.
    private let word: String

    init(argument: String) {
        word = argument
    }

    /// Splits the word into path and type. A colon may be part of a path, so the whole word is the path if such a file
    /// exists.
    ///
    /// - Throws: `.usage` if both the whole word and its part before the type are paths of existing files, because it
    ///   is then unknown which file is meant.
    func parts() throws(CommandFailure) -> (path: String, mimeType: String) {
        guard let typed = typed() else { return (word, Self.typeByDefault) }
        guard Self.isThere(word) else { return typed }
        guard typed.path == "-" || Self.isThere(typed.path) else { return (word, Self.typeByDefault) }
        guard typed.path != "-" else {
            throw CommandFailure(
                .usage,
                "the file '\(word)' exists, so --attach \(word) is ambiguous; hint: to attach the file, write "
                    + "\(word):TYPE; to attach standard input, rename the file")
        }
        throw CommandFailure(
            .usage,
            "both '\(word)' and '\(typed.path)' exist, so --attach \(word) is ambiguous; hint: to attach '\(word)', "
                + "write \(word):TYPE; to attach '\(typed.path)', write -:\(typed.mimeType) and redirect it to "
                + "standard input")
    }

    /// Returns the word as `FILE:TYPE`; `nil` if it contains no type.
    private func typed() -> (path: String, mimeType: String)? {
        guard let colon = word.lastIndex(of: ":") else { return nil }
        let type = word[word.index(after: colon)...]
        guard colon > word.startIndex, Self.isType(type) else { return nil }
        return (String(word[..<colon]), String(type))
    }

    /// Returns whether a text is `TYPE/SUBTYPE`, perhaps with parameters (RFC 6838). No registered type begins with a
    /// digit, but folders whose names are times do: `10:30/photo.jpg`.
    private static func isType(_ text: Substring) -> Bool {
        let parts = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].first?.isLetter == true
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy {
                        isalnum(Int32($0)) != 0 || "!#$&-^_.+ ".utf8.contains($0)
                    }
            }
    }

    private static func isThere(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }

    /// Returns the attachment. A small content is sent with the message or draft. A larger one is written first, with
    /// only one piece of it in memory.
    ///
    /// - Parameter allowsEmpty: True to accept an empty standard input.
    func attachment(_ client: StoreClient, allowsEmpty: Bool) async throws -> NewAttachment {
        let (path, mimeType) = try parts()
        let file = try InputFile(path)
        let name = path == "-" ? "" : path.split(separator: "/").last.map(String.init) ?? ""
        let first = try file.readChunk(bytes: StoreClient.filePieceBytes)
        if !allowsEmpty {
            try file.refuseEmpty(first)
        }
        guard first.count == StoreClient.filePieceBytes else {
            return NewAttachment(.bytes(first), name: name, mimeType: mimeType)
        }
        let digest = try await client.beginAttachmentWrite().endingOnFailure { writer in
            try await writer.write(first, restOf: file)
            return try await writer.finishAttachment()
        }
        return NewAttachment(.digest(digest), name: name, mimeType: mimeType)
    }
}
