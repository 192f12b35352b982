import Foundation
import StoreClient

/// Carries out the commands and sends the messages that the person types.
struct Commands: Sendable {
    let talk: Talk
    let transcript: Transcript

    private static let help = [
        "/send FILE       send a file",
        "/save N FILE     save the attachment [N] as a new file",
        "/find WORDS      search: words, \"phrases\", beginnings (begin*), OR, NOT",
        "/quit            leave; the store keeps the messages",
    ]

    /// Carries out each line until the person quits or the input ends.
    func perform(_ lines: AsyncStream<String>) async {
        for await line in lines {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.first != "/quit" else { return }
            do {
                try await perform(words.first ?? "", words.count > 1 ? words[1] : "", line)
            } catch let error as StoreClientError {
                await transcript.note("not done: \(error.message)")
            } catch {
                await transcript.note("not done: \(error.localizedDescription)")
            }
        }
    }

    private func perform(_ command: String, _ argument: String, _ line: String) async throws {
        switch command {
        case "": await transcript.showPrompt()
        case "/help": for text in Self.help { await transcript.note(text) }
        case "/send": try await send { try await talk.send(fileAt: argument, id: $0) }
        case "/save": try await save(argument)
        case "/find": try await find(argument)
        case let other where other.hasPrefix("/"):
            await transcript.note("there is no \(other); /help lists the commands")
        default: try await send { try await talk.send(line, id: $0) }
        }
    }

    /// Chooses the id before the message is saved, because the watch also reports this process's own messages, and the
    /// transcript must not show them a second time.
    private func send(_ saving: (_ id: String) async throws -> Void) async throws {
        let id = UUIDv7().description
        await transcript.isTyped(id)
        try await saving(id)
    }

    private func save(_ argument: String) async throws {
        let words = argument.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let number = Int(words[0]), let place = await transcript.attachment(number) else {
            await transcript.note("/save N FILE: N is the number of an attachment that was shown")
            return
        }
        try await talk.save(place, to: String(words[1]))
        await transcript.note("saved \(words[1])")
    }

    private func find(_ words: String) async throws {
        let found = try await talk.find(words)
        for message in found {
            await transcript.show(message)
        }
        await transcript.note("\(found.count) found")
    }
}
