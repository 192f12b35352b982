import StoreBasics

@testable import StoreEngine

/// A suite of tests whose devices write to ann.
protocol ReplicaFleetSuite {
    var fleet: ReplicaFleet { get }
}

extension ReplicaFleetSuite {
    var ann: ConversationReference { .session(SessionID(trusted: "ann")) }

    func engine(_ device: Int) -> StoreEngine { fleet.devices[device].engine }

    func number(_ device: Int) -> UInt64 { fleet.devices[device].number }

    func save(
        _ device: Int, _ id: String, _ attachments: [NewAttachment] = [], text: String = "text",
        status: MessageStatus = .pending, isRead: Bool = false
    ) throws {
        try engine(device).write(
            .saveMessage(
                NewMessage(
                    id: EntityID(id), conversation: ann, text: text, status: status, isRead: isRead,
                    attachments: attachments)))
    }

    func message(_ device: Int, _ id: String) throws -> StoredMessage? {
        try engine(device).makeReader().message(EntityID(id))
    }
}
