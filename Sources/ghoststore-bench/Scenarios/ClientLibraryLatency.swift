internal import StoreBasics
import StoreClient

/// What an application sees of `GetWorkload` and `SaveWorkload`: the same requests through the StoreClient library.
struct ClientLibraryLatency {
    let loops: ClientLoops
    let dataSet: DataSet

    func get() async throws -> Measurement {
        let dataSet = dataSet
        let clients = loops.clients
        return try await loops.run(.clientGet) { client, loop, turn in
            let number = Int(SplitMix.mix(UInt64(turn * clients + loop)) % UInt64(dataSet.messageCount))
            return try await client.message(dataSet.messageID(number).description).text.utf8.count
        }
    }

    func save(firstMessage: Int) async throws -> Measurement {
        let dataSet = dataSet
        let clients = loops.clients
        return try await loops.run(.clientSave) { client, loop, turn in
            let number = firstMessage + turn * clients + loop
            try await client.saveMessage(
                NewMessage(
                    id: dataSet.messageID(number).description,
                    conversation: .id(dataSet.clientConversationID(loop).description),
                    text: SampleTexts.all[number % SampleTexts.all.count], senderSessionID: DataSet.ownSessionID,
                    recipientSessionID: dataSet.sessionID(ofConversation: 0), isOutgoing: true))
            return 0
        }
    }
}
