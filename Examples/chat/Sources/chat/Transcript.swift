import Foundation
import StoreClient

/// An attachment: its message, and its position among the attachments of the message.
struct AttachmentPlace: Sendable {
    let messageID: String
    let position: Int
}

/// The part of the conversation that the person has seen.
actor Transcript {
    private let me: String
    private let screen: Screen
    private var shownIDs: Set<String> = []
    private var readIDs: Set<String> = []
    /// The attachments in the order in which they were shown. The first one has the number 1.
    private var attachments: [AttachmentPlace] = []

    init(me: String, screen: Screen) {
        self.me = me
        self.screen = screen
    }

    /// Shows a message that was not shown yet. For a message of this person, also shows when the partner has read it.
    func show(_ message: Message) {
        let isMine = message.senderSessionID == me
        if shownIDs.insert(message.id).inserted {
            if message.isRead {
                readIDs.insert(message.id)
            }
            let mark = isMine && message.isRead ? " ✓" : ""
            screen.show("\(Self.time(message.timestamp)) \(message.senderSessionID): \(message.text)\(mark)")
            showAttachments(of: message)
        } else if isMine, message.isRead, readIDs.insert(message.id).inserted {
            let what = message.attachments.first?.name ?? message.text
            screen.show("✓ read: \(what.prefix(40))")
        }
    }

    private func showAttachments(of message: Message) {
        for (position, attachment) in message.attachments.enumerated() {
            attachments.append(AttachmentPlace(messageID: message.id, position: position))
            screen.show("      [\(attachments.count)] \(attachment.name), \(attachment.contentBytes) bytes")
        }
    }

    /// Records a message that the person typed here. The terminal shows it already, so `show` does not show it again.
    func isTyped(_ id: String) {
        shownIDs.insert(id)
        screen.showPrompt()
    }

    func show(_ found: FoundMessage) {
        var text = found.snippet.text
        for range in found.snippet.matchedRanges.reversed() {
            text.replaceSubrange(range, with: "«\(text[range])»")
        }
        screen.show("\(Self.time(found.message.timestamp)) \(found.message.senderSessionID): \(text)")
    }

    func attachment(_ number: Int) -> AttachmentPlace? {
        number > 0 ? attachments.dropFirst(number - 1).first : nil
    }

    func showPrompt() {
        screen.showPrompt()
    }

    func note(_ text: String) {
        screen.show("-- \(text)")
    }

    /// Returns the hours and minutes in the local time zone, such as `14:05`.
    private static func time(_ timestamp: Timestamp) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false)
        return String(timestamp.date.formatted(style).prefix(5))
    }
}
