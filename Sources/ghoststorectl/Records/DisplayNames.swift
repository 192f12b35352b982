import StoreClient

/// The names of contacts and conversations that lists show to people. Each name is requested from the daemon only once.
/// If the output is for programs, no name is requested, because programs get IDs. If a name cannot be read, the list
/// shows the ID in its place. Only one task uses this object.
final class DisplayNames {
    private struct Party {
        let sessionID: String
        let name: String?
    }

    /// The name of the person at this store. A contact of this name is shown with its session ID.
    private static let own = "you"

    private let client: StoreClient
    private let people = NameHolders()
    private let namedConversations = NameHolders()
    private var contactNames: [String: String?] = [:]
    private var conversations: [String: Party?] = [:]
    /// False if contacts must not be requested, because the output is for programs or the daemon has answered that this
    /// user has no right to contacts.
    private var mayReadContacts: Bool
    private var mayReadConversations: Bool
    private let isForPeople: Bool

    init(_ session: Session) {
        // A list without names is better than a late one.
        client = session.client.with(deadline: .seconds(2))
        people.add(Self.own, of: "")
        isForPeople = if case .people = session.output.form { true } else { false }
        (mayReadContacts, mayReadConversations) = (isForPeople, isForPeople)
    }

    /// Returns the sender of a message: `you` if it was sent from here, and an empty ID if the message contains no
    /// sender. Without a known name, it is the name that the message has for its sender.
    func sender(of message: Message) async throws(StoreClientError) -> ShownName {
        guard !message.isOutgoing else { return ShownName(Self.own, of: "", among: people) }
        let person = try await person(message.senderSessionID, in: message.conversationID)
        guard isForPeople, !person.isNamed, !message.senderName.isEmpty else { return person }
        return ShownName(claimed: message.senderName, of: message.senderSessionID)
    }

    /// Returns the person with a session ID. The name is the contact's; without a contact it is the name of the
    /// conversation, if the conversation has the same session ID.
    func person(_ sessionID: String, in conversationID: String? = nil) async throws(StoreClientError) -> ShownName {
        guard !sessionID.isEmpty else { return ShownName(id: "") }
        if let name = try await contactName(sessionID) {
            return ShownName(name, of: sessionID, among: people)
        }
        if let conversationID, let party = try await party(conversationID), party.sessionID == sessionID,
            let name = party.name
        {
            return ShownName(name, of: sessionID, among: people)
        }
        return ShownName(id: sessionID)
    }

    /// Returns the conversation with an ID: its name, or its session ID if it has no name. If the conversation cannot
    /// be read, returns its ID.
    func conversation(_ id: String) async throws(StoreClientError) -> ShownName {
        guard let party = try await party(id) else { return ShownName(id: id) }
        return party.name.map { ShownName($0, of: party.sessionID, among: namedConversations) }
            ?? ShownName(id: party.sessionID)
    }

    private func contactName(_ sessionID: String) async throws(StoreClientError) -> String? {
        if let known = contactNames[sessionID] {
            return known
        }
        guard mayReadContacts else { return nil }
        var name: String?
        do throws(StoreClientError) {
            name = try await client.contact(sessionID: sessionID).displayName
        } catch {
            guard error.code != .cancelled else { throw error }
            mayReadContacts = error.code != .permissionDenied
        }
        name = name.flatMap { $0.isEmpty ? nil : $0 }
        contactNames.updateValue(name, forKey: sessionID)
        return name
    }

    private func party(_ conversationID: String) async throws(StoreClientError) -> Party? {
        if let known = conversations[conversationID] {
            return known
        }
        guard mayReadConversations else { return nil }
        var party: Party?
        do throws(StoreClientError) {
            let found = try await client.conversation(.id(conversationID))
            let name = found.displayName.flatMap { $0.isEmpty ? nil : $0 }
            party = Party(sessionID: found.sessionID, name: name)
        } catch {
            guard error.code != .cancelled else { throw error }
            mayReadConversations = error.code != .permissionDenied
        }
        conversations.updateValue(party, forKey: conversationID)
        return party
    }
}
