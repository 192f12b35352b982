import StoreBasics

@testable import StoreEngine

/// What answers are made of, at random.
enum RandomAnswer {
    /// Texts that matter to an encoder: empty, short (held inline by Swift), long, and not ASCII.
    static func text(_ generator: inout SplitMix) -> String {
        let alphabet: [Character] = ["a", "Z", " ", "é", "漢", "👩‍👩‍👧", "\n", "\0", "ß"]
        let count = [0, 1, 3, 14, 15, 16, 40, 127, 128, 500].randomElement(using: &generator) ?? 0
        return String((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
    }

    static func integer(_ generator: inout SplitMix) -> Int64 {
        let choices: [Int64] = [0, 1, -1, 127, 128, 16_384, 1_700_000_000_000_000, .max, .min]
        return choices.randomElement(using: &generator) ?? 0
    }

    static func message(_ generator: inout SplitMix) -> StoredMessage {
        StoredMessage(
            id: EntityID(trusted: text(&generator)), conversationID: EntityID(trusted: text(&generator)),
            text: text(&generator), senderSessionID: text(&generator), recipientSessionID: text(&generator),
            timestamp: Timestamp(microseconds: integer(&generator)),
            status: MessageStatus.allCases.randomElement(using: &generator) ?? .sent,
            isOutgoing: .random(using: &generator), isRead: .random(using: &generator),
            attachmentURL: Bool.random(using: &generator) ? text(&generator) : nil,
            attachmentType: Bool.random(using: &generator) ? text(&generator) : nil,
            replyToMessageID: Bool.random(using: &generator) ? EntityID(trusted: text(&generator)) : nil,
            createdAt: Timestamp(microseconds: integer(&generator)),
            editedAt: Bool.random(using: &generator) ? Timestamp(microseconds: integer(&generator)) : nil,
            reactions: reactions(&generator), timer: timer(&generator),
            expiresAt: Bool.random(using: &generator) ? Timestamp(microseconds: integer(&generator)) : nil,
            attachments: (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                .random(text(&generator), text(&generator), byteCount: integer(&generator), &generator)
            })
    }

    static func timer(_ generator: inout SplitMix) -> MessageTimer? {
        let milliseconds: [UInt64] = [0, 1, 127, 128, 86_400_000, RetentionPeriod.millisecondsMax]
        let lifetime = try? RetentionPeriod(milliseconds: milliseconds.randomElement(using: &generator) ?? 0)
        let start = MessageTimer.Start.allCases.randomElement(using: &generator) ?? .sending
        return lifetime.map { MessageTimer(lifetime: $0, start: start) }
    }

    static func reactions(_ generator: inout SplitMix) -> ReactionCounts {
        var counts = ReactionCounts()
        for emoji in ["👍", "é", "👩‍👩‍👧‍👦", "🇩🇪"].prefix(.random(in: 0...4, using: &generator)) {
            for _ in 0..<(Bool.random(using: &generator) ? 1 : 200) {
                try? counts.add(Emoji(trusted: emoji))
            }
        }
        return counts
    }
}
