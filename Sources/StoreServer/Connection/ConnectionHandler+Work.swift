import StoreEngine

/// The work of a connection among that of others.
extension ConnectionHandler {
    /// Whose turn it takes. Loops number their connections each by itself: what tells them apart is the object.
    var workOwner: WorkOwner {
        WorkOwner(userID: caller.uid, connection: UInt64(UInt(bitPattern: ObjectIdentifier(self))))
    }

    /// The write that is being started is all there is to do on the loop, as far as can be told: the last requests were
    /// writes of this connection as well, and it has no other.
    var isAlone: Bool {
        machine.inFlight == 1 && intake.leftover == .nothing && loop.activity.isOfOneWriter
    }

    /// A request of a connection that is gone will have no answer.
    func abandoned(_ request: RunningRequest) {
        memory.complete(request.ticket.bytes)
    }
}
