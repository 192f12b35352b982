import StoreProtocol

/// What AnswerHandler reads.
extension ConnectionDriver {
    /// - Parameter payload: of one frame, where it was received. A recovery code in it is overwritten with zeros.
    /// - Throws: when it is no answer: the connection is of no further use.
    func received(_ payload: UnsafeMutableRawBufferPointer) throws(StoreClientError) {
        let bytes = UnsafeRawBufferPointer(payload)
        let outline: ResponseOutline
        do throws(ProtobufFault) {
            outline = try ResponseOutline(bytes)
        } catch {
            throw .answerUnreadable("the daemon sent what is not a response")
        }
        if outline.id == 0 && outline.isError {
            // About the connection as a whole, which the daemon closes next.
            faults.refused(try? StoreClientError(answer: Array(bytes)))
            return
        }
        // Before the machine takes the answer for one: a call whose answer cannot be read has not been answered.
        let recoveryCode = try calls[outline.id]?.body.answersSecret == true ? SecretAnswer.take(from: payload) : nil
        let kind: ConnectionMachine.AnswerKind =
            outline.errorReason(in: bytes) == ErrorReason.shuttingDown.rawValue
            ? .refusedBecauseShuttingDown : .result(isFinal: !outline.hasMore)
        for action in machine.received(outline.id, kind) {
            guard case .deliver(let id, let isFinal) = action else {
                perform([action])
                continue
            }
            faults.answered()
            let call = isFinal ? calls.removeValue(forKey: id) : calls[id]
            call?.onEvent(.answer(Answer(payload: Array(bytes), isFinal: isFinal, recoveryCode: recoveryCode)))
        }
    }
}
