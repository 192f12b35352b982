import StoreBasics

@testable import StoreEngine

/// A suite of tests whose devices write to the conversation "ann".
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

    /// Saves a message with a content that was written in parts before.
    func saveLarge(
        _ device: Int, _ id: String, _ bytes: [UInt8], text: String = "text", source: String? = nil
    ) throws {
        try engine(device).writeAttachment(bytes)
        try save(device, id, [AttachmentStore.known(bytes, source: source)], text: text)
    }

    /// Returns the content of a message's first attachment; `nil` if it is not stored on the device.
    func content(_ device: Int, _ id: String) throws -> [UInt8]? {
        let reader = fleet.reader(device)
        guard let attachment = try reader.message(EntityID(id))?.attachments.first, attachment.isStored else {
            return nil
        }
        var bytes: [UInt8] = []
        while UInt64(bytes.count) < attachment.byteCount {
            bytes += try reader.readAttachment(
                of: EntityID(id), at: 0, from: UInt64(bytes.count), byteCount: nil
            ).bytes
        }
        return bytes
    }

    func message(_ device: Int, _ id: String) throws -> StoredMessage? {
        try fleet.reader(device).message(EntityID(id))
    }
}
