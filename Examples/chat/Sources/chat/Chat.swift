import Foundation
import StoreClient

/// `chat ME YOU`: one side of a conversation between two people, which is kept in the store. The other side is a second
/// process of this program, started with the names exchanged. The two processes share only the store.
@main
enum Chat {
    static func main() async {
        let names = CommandLine.arguments.dropFirst()
        guard names.count == 2, let me = names.first, let partner = names.last, me != partner,
            names.allSatisfy({ name in !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber } })
        else {
            complain("usage: chat ME YOU, two different names of letters and digits")
            exit(2)
        }
        do {
            try await chat(as: me, with: partner)
        } catch let error as StoreClientError {
            complain(error.message)
            exit(1)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    /// Runs the chat until the person quits, or until an error makes it impossible to continue.
    private static func chat(as me: String, with partner: String) async throws {
        var configuration = ClientConfiguration()
        configuration.clientName = "chat-example"
        let store = try await StoreClient.connect(configuration: configuration)
        let talk = try await Talk(store: store, me: me, partner: partner)
        let transcript = Transcript(me: me, screen: Screen(prompt: "\(me)> "))
        let follower = Follower(talk: talk, transcript: transcript)
        let changes = try await follower.catchUp()
        await transcript.note("type messages to \(partner); /help lists the commands")
        try await withThrowingTaskGroup { group in
            group.addTask { try await follower.follow(changes) }
            group.addTask { await Commands(talk: talk, transcript: transcript).perform(TypedLines.stream()) }
            try await group.next()
            group.cancelAll()
        }
        await store.close()
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("chat: \(Screen.printable(text))\n".utf8))
    }
}
