/// The caches of the areas, which belong to the writer.
struct AreaCaches {
    let conversations = ConversationNumberCache()
    let newMessageSums = NewMessageSums()
    let openLogs = OpenLogs()

    var all: [any TransactionCache] { [conversations, newMessageSums, openLogs] }
}
