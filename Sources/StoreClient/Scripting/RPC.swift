import FoundationEssentials
import StoreProtocol
import SwiftProtobuf

extension StoreClient {
    /// Makes one call given as protobuf JSON, and passes on every response as one line of protobuf JSON, the final one
    /// last. The request's own ID, deadline and idempotency key are kept. A request without a key is sent at most once.
    /// A watch continues until the task is cancelled.
    ///
    /// Secrets in the JSON are ordinary text, so use the typed calls for secrets.
    ///
    /// - Throws: `.jsonUnreadable`, or the reason why no answer arrived. An error from the daemon is an ordinary
    ///   response.
    package func rpc(
        json: String, onResponse: @escaping @Sendable (String) -> Void
    ) async throws(StoreClientError) {
        var request = try WireRequest(protobufJSON: json)
        let requestID = request.id
        let limit: Duration? =
            request.deadlineMilliseconds == 0 ? nil : .milliseconds(Int64(request.deadlineMilliseconds))
        request.id = 0
        request.deadlineMilliseconds = 0
        let body: RequestBody
        do {
            body = RequestBody(bytes: try request.serializedBytes())
        } catch {
            throw .answerUnreadable("the request cannot be encoded: \(error)")
        }
        let limited = limit.map { with(deadline: $0) } ?? self
        var effect = IdempotencyKey(bytes: Array(request.idempotencyKey)).map { CallEffect.mutation($0) } ?? .longWork
        if case .watch = request.call {
            effect = .watch
        }
        let answer = try await limited.answer(to: body, limited.terms(of: effect), effect) { part in
            if let line = try? Self.line(part, requestID: requestID) {
                onResponse(line)
            }
        }
        onResponse(try Self.line(answer, requestID: requestID))
    }

    private static func line(_ answer: Answer, requestID: UInt64) throws(StoreClientError) -> String {
        do {
            var response = try WireResponse(serializedBytes: answer.payload)
            response.id = requestID
            return try response.jsonString()
        } catch {
            throw .answerUnreadable("the daemon sent bytes that are not a response")
        }
    }
}
