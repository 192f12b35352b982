import StoreClient

/// Names of people and conversations for people. It asks the daemon for each of them once, and for none if the output
/// is for programs, which get ids. If a name cannot be read, the list shows the id in its place. Use it from one task.
final class DisplayNames {
    private struct Party {
        let sessionID: String
        let name: String?
    }

    /// The name of the person at this store. A contact of this name is shown with its session id.
    private static let own = "you"

    private let client: StoreClient
    private let people = NameHolders()
    private let namedConversations = NameHolders()
    private var contactNames: [String: String?] = [:]
    private var conversations: [String: Party?] = [:]
    /// False once the daemon has said that this user has no right to them.
    private var mayReadContacts: Bool
    private var mayReadConversations: Bool

    init(_ session: Session) {
        // A list is shown without names rather than late.
        client = session.client.with(deadline: .seconds(2))
        people.add(Self.own, of: "")
        let isForPeople = if case .people = session.output.form { true } else { false }
        (mayReadContacts, mayReadConversations) = (isForPeople, isForPeople)
    }

    /// The sender of a message: `you` if it was sent from here, and an empty id if the message names no sender.
    func sender(of message: Message) async throws(StoreClientError) -> ShownName {
        guard !message.isOutgoing else { return ShownName(Self.own, of: "", among: people) }
        return try await person(message.senderSessionID, in: message.conversationID)
    }

    /// The person with a session id: the contact's name, or the name of the conversation if it is with this person.
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

    /// The conversation with an id: its name or its session id, or the id itself if it cannot be read.
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
