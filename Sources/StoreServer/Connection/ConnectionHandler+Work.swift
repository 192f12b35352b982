import StoreEngine

/// The connection as an owner of work that shares threads with other connections.
extension ConnectionHandler {
    /// The owner under which the work of this connection is queued. Each event loop numbers its connections itself, so
    /// only the identity of the object is unique.
    var workOwner: WorkOwner {
        WorkOwner(userID: caller.uid, connection: UInt64(UInt(bitPattern: ObjectIdentifier(self))))
    }

    /// True if the write that is being started is probably the only work on this event loop: the last requests were
    /// writes of this connection too, and this connection has no other request in flight.
    var isAlone: Bool {
        machine.inFlight == 1 && intake.leftover == .nothing && loop.activity.isOfOneWriter
    }

    /// Releases the memory of a request after its connection was closed. The request gets no answer.
    func abandoned(_ request: RunningRequest) {
        memory.complete(request.ticket.bytes)
    }
}
