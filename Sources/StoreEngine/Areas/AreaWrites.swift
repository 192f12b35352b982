import StoreBasics

/// The areas of the store, all at work in one transaction. Each area knows the areas that it stands on, and none knows
/// archives, search or replication.
final class AreaWrites {
    let transaction: Transaction
    let leftovers: Leftovers
    let contents: ContentReleases
    let expiries: ExpiryWrites
    let attachments: AttachmentWrites
    let conversations: ConversationWrites
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
        _ transaction: Transaction, _ leftovers: Leftovers, _ caches: WriterCaches, _ fileQuotas: FileQuotas,
        _ listeners: AreaListeners
    ) {
        self.transaction = transaction
        self.leftovers = leftovers
        contents = ContentReleases(transaction, leftovers)
        expiries = ExpiryWrites(transaction)
        attachments = AttachmentWrites(transaction, contents, leftovers, expiries)
        conversations = ConversationWrites(
            transaction, leftovers, expiries, attachments, listeners, caches.conversations, caches.newMessageSums)
        drafts = DraftWrites(transaction, attachments, conversations)
        reactions = ReactionWrites(transaction, leftovers)
        retention = RetentionWrites(transaction, conversations, expiries)
        messages = MessageWrites(
            transaction, conversations, attachments, drafts, reactions, expiries, retention, listeners)
        due = DueMessages(transaction, messages, conversations, attachments, expiries)
        contacts = ContactWrites(transaction)
        scenes = SceneWrites(transaction)
        logs = AppendLogWrites(transaction, leftovers, listeners, caches.openLogs)
        files = FileTreeWrites(transaction, contents, leftovers, attachments, fileQuotas)
    }
}

/// Work on several areas of one transaction.
protocol AreaWork: TransactionWork {
    var areas: AreaWrites { get }
}

extension AreaWork {
    var transaction: Transaction { areas.transaction }
}
