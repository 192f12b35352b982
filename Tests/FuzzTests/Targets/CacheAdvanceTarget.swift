import Interchange

/// Reads files of the CacheAdvance library.
///
/// Promises: a message can be appended to an accepted file in the way of the original library, and the longer file is
/// accepted too.
enum CacheAdvanceTarget {
    static func run(_ input: [UInt8]) throws {
        var file: CacheAdvanceFile
        do throws(InterchangeError) {
            file = try CacheAdvanceFile(parsing: input)
        } catch {
            return
        }
        let before = file.messages
        try BrokenPromise.unless(before.count == file.messageCount, "as many messages as it says")
        let message = Array("appended".utf8)
        guard case .fits = file.append(message) else {
            try BrokenPromise.unless(file.messages == before, "a message that does not fit changes nothing")
            return
        }
        let reread = try CacheAdvanceFile(parsing: file.bytes)
        try BrokenPromise.unless(reread.messages == file.messages, "what was appended to is read again as it is")
        try BrokenPromise.unless(reread.messages.last == message, "the last message is the one appended")
        let kept = reread.messages.dropLast()
        try BrokenPromise.unless(kept.elementsEqual(before.suffix(kept.count)), "only the oldest are displaced")
    }

    static func seeds() throws -> [[UInt8]] {
        try ["bounded", "empty", "wrapped"].map { try ProjectFiles.bytes("Tests/Fixtures/cacheadvance/\($0).cache") }
    }
}
