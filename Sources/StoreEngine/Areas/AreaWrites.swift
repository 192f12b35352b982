import StoreBasics

/// The areas of the store in one transaction. An area refers only to the areas on which it depends, and never to
/// archives, search or replication.
final class AreaWrites {
    let transaction: Transaction
    let leftovers: Leftovers
    let contents: ContentReleases
    let expiries: ExpiryWrites
    let attachments: AttachmentWrites
    let conversations: ConversationWrites
    let members: MemberWrites
    let drafts: DraftWrites
    let reactions: ReactionWrites
    let retention: RetentionWrites
    let messages: MessageWrites
    let due: DueMessages
    let contacts: ContactWrites
    let scenes: SceneWrites
    let logs: AppendLogWrites
    let files: FileTreeWrites

    init(
        _ transaction: Transaction, _ leftovers: Leftovers, _ caches: AreaCaches, _ fileQuotas: FileQuotas,
        _ listeners: AreaListeners
    ) {
        self.transaction = transaction
        self.leftovers = leftovers
        contents = ContentReleases(transaction, leftovers)
        expiries = ExpiryWrites(transaction)
        attachments = AttachmentWrites(transaction, contents, leftovers, expiries)
        conversations = ConversationWrites(
            transaction, leftovers, expiries, attachments, listeners, caches.conversations, caches.newMessageSums)
        members = MemberWrites(transaction: transaction, conversations: conversations)
        drafts = DraftWrites(transaction: transaction, attachments: attachments, conversations: conversations)
        reactions = ReactionWrites(transaction: transaction, leftovers: leftovers)
        retention = RetentionWrites(transaction: transaction, conversations: conversations, expiries: expiries)
        messages = MessageWrites(
            transaction: transaction, conversations: conversations, attachments: attachments, drafts: drafts,
            reactions: reactions, expiries: expiries, retention: retention, listeners: listeners)
        due = DueMessages(
            transaction: transaction, messages: messages, attachments: attachments, expiries: expiries)
        contacts = ContactWrites(transaction: transaction, listeners: listeners)
        scenes = SceneWrites(transaction)
        logs = AppendLogWrites(transaction, leftovers, listeners, caches.openLogs)
        files = FileTreeWrites(
            transaction: transaction, contents: contents, leftovers: leftovers, attachments: attachments,
            fileQuotas: fileQuotas)
    }
}

/// Work of one transaction that uses several areas.
protocol AreaWork: TransactionWork {
    var areas: AreaWrites { get }
}

extension AreaWork {
    var transaction: Transaction { areas.transaction }
}
