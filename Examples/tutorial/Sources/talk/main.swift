import StoreClient

let names = Array(CommandLine.arguments.dropFirst())
guard names.count == 2 else { fatalError("usage: talk ME YOU") }
let (me, you) = (names[0], names[1])

/// Replaces the control characters and directional characters in texts of others, because a terminal would obey them.
func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        case .format where scalar != "\u{200C}" && scalar != "\u{200D}": "\u{FFFD}"
        default: scalar
        }
    }
    return String(String.UnicodeScalarView(scalars))
}

let store = try await StoreClient.connect()
let room = try await store.getOrCreateConversation(sessionID: names.sorted().joined(separator: "+"))

// The current position. The task below receives everything that is saved after it.
let now = try await store.status().position
let history = try await store.messagePage(MessageQuery(conversation: .id(room.id), limit: 10))
for message in history.messages.reversed() {
    print(printable("\(message.senderSessionID): \(message.text)"))
}

let listening = Task.detached { [store, room, now, me] in
    let messages = try await store.newMessages(in: .id(room.id), after: now)
    for try await message in messages where message.senderSessionID != me {
        print(printable("\(message.senderSessionID): \(message.text)"))
    }
}

while let text = readLine() {
    // When this call returns, the message is on disk.
    try await store.saveMessage(
        NewMessage(conversation: .id(room.id), text: text, senderSessionID: me, recipientSessionID: you))
}
listening.cancel()
await store.close()
