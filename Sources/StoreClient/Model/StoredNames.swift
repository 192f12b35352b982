// Second names for programs that import ConversationStorage as well, whose own types have the first ones. (A module
// and a type of the same name cannot be told apart in `StoreClient.Message`.)

public typealias StoredConversation = Conversation
public typealias StoredMessage = Message
public typealias StoredContact = Contact
