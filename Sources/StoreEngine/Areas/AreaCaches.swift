/// The writer's caches for the areas.
struct AreaCaches {
    let conversations = ConversationNumberCache()
    let newMessageSums = NewMessageSums()
    let openLogs = OpenLogs()

    var all: [any TransactionCache] { [conversations, newMessageSums, openLogs] }
}
