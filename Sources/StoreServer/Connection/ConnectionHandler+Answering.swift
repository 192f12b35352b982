import StoreEngine
import StoreProtocol

extension ConnectionHandler {
    /// Some mutations are answered with more than their receipt.
    func answerTo(_ kind: CallKind, _ receipt: Receipt) -> Answer {
        switch kind {
        case .getOrCreateConversation:
            do throws(StoreError) {
                guard let text = receipt.ids.first else {
                    return .failure(RequestFailure(.internal, "a conversation was made without an id"))
                }
                return try ReadService.conversation(
                    .id(try EntityID(text)), includeAvatar: false, loop.server.engine.makeReader())
            } catch {
                return .failure(RequestFailure(error))
            }
        case .openLog:
            do throws(StoreError) {
                guard let text = receipt.ids.first else {
                    return .failure(RequestFailure(.internal, "a log was made without a name"))
                }
                return ReadService.answer(.log(try LogName(text)), loop.server.engine.makeReader(), server.engine)
            } catch {
                return .failure(RequestFailure(error))
            }
        case .appendLog:
            return .appended(receipt)
        case .compactChanges:
            return .compacted(throughRevision: (try? server.engine.statistics())?.compactedThroughRevision ?? 0)
        default:
            return .committed(receipt)
        }
    }
}
