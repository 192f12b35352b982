import StoreProtocol
import SwiftProtobuf

enum CrashStep: Sendable {
    case save([CrashMessage])
    case edit(id: String, text: String)
    case delete([String])

    /// The messages of one writer, by id.
    typealias State = [String: CrashMessage]

    func apply(to state: inout State) {
        switch self {
        case .save(let messages):
            for message in messages {
                state[message.id] = message
            }
        case .edit(let id, let text):
            state[id]?.text = text
        case .delete(let ids):
            for id in ids {
                state[id] = nil
            }
        }
    }

    func call(conversation: String) -> WireRequest.OneOf_Call {
        switch self {
        case .save(let messages) where messages.count == 1:
            .saveMessage(.with { $0.message = messages[0].wire(conversation: conversation) })
        case .save(let messages):
            .saveMessages(.with { $0.messages = messages.map { $0.wire(conversation: conversation) } })
        case .edit(let id, let text):
            .editMessage(
                .with {
                    $0.id = id
                    $0.text = text
                })
        case .delete(let ids):
            .deleteMessages(.with { $0.ids = ids })
        }
    }
}

struct CrashMessage: Hashable, Sendable {
    var id: String
    var text: String
    var timestampMicroseconds: Int64
    var isOutgoing: Bool

    func wire(conversation: String) -> WireNewMessage {
        .with {
            $0.id = id
            $0.conversation.sessionID = conversation
            $0.text = text
            $0.timestampMicroseconds = timestampMicroseconds
            $0.isOutgoing = isOutgoing
        }
    }
}
