internal import StoreEngine
internal import StoreProtocol

/// Runs reads on the engine and names what was not found.
enum ReadService {
    static func answer(_ read: PointRead, _ reader: StoreReader, _ engine: StoreEngine) -> Answer {
        do throws(StoreError) {
            switch read {
            case .conversation(let reference):
                return try conversation(reference, includeAvatar: false, reader)
            case .contact(let sessionID):
                return try contact(sessionID, includeAvatar: false, reader)
            case .sceneValues(let query):
                return .sceneValues(try reader.sceneValues(query, isWhole: StoredSceneValue.isWhole))
            case .log(let name):
                return try reader.log(name).map { .log($0) } ?? notFound(.logNotFound, "log")
            case .statistics:
                return .statistics(
                    try engine.statistics(), databaseBytes: UInt64(clamping: engine.storage().databaseBytes))
            }
        } catch {
            return .failure(RequestFailure(error))
        }
    }

    static func answer(_ read: ListRead, _ reader: StoreReader) -> Answer {
        do throws(StoreError) {
            switch read {
            case .conversations(let query): return .conversations(try reader.conversations(query))
            case .contacts(let query): return .contacts(try reader.contacts(query))
            case .changes(let after, let limit): return changes(try reader.changes(after: after, limit: limit), after)
            case .sceneValues(let query):
                return .sceneValues(try reader.sceneValues(query, isWhole: StoredSceneValue.isWhole))
            case .scenes(let limit, let cursor): return .scenes(try reader.scenes(limit: limit, cursor: cursor))
            case .logEntries(let query): return .logEntries(try reader.logEntries(query))
            case .logs(let limit, let cursor): return .logs(try reader.logs(limit: limit, cursor: cursor))
            case .conversationWithAvatar(let reference):
                return try conversation(reference, includeAvatar: true, reader)
            case .contactWithAvatar(let sessionID):
                return try contact(sessionID, includeAvatar: true, reader)
            }
        } catch {
            return .failure(RequestFailure(error))
        }
    }

    private static func conversation(
        _ reference: ConversationReference, includeAvatar: Bool, _ reader: StoreReader
    ) throws(StoreError) -> Answer {
        try reader.conversation(reference, includeAvatar: includeAvatar).map { .conversation($0) }
            ?? notFound(.conversationNotFound, "conversation")
    }

    private static func contact(
        _ sessionID: SessionID, includeAvatar: Bool, _ reader: StoreReader
    ) throws(StoreError) -> Answer {
        try reader.contact(sessionID, includeAvatar: includeAvatar).map { .contact($0) }
            ?? notFound(.contactNotFound, "contact")
    }

    private static func changes(_ page: ChangePage, _ after: UInt64) -> Answer {
        guard after <= page.revision else {
            return .failure(
                RequestFailure(
                    .revisionAhead,
                    "the store is at revision \(page.revision), before \(after); was it restored from a backup?"))
        }
        return .changes(page)
    }

    private static func notFound(_ reason: ErrorReason, _ what: String) -> Answer {
        .failure(RequestFailure(reason, "there is no such \(what)"))
    }
}
