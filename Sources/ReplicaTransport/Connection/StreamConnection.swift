import CNats
import StoreBasics

/// A connection to the servers of a stream. Its calls wait on a thread of their own. They may come from several tasks
/// and are executed one after the other.
///
/// @unchecked Sendable because libnats protects a connection and a JetStream context by locks of its own, and both
/// exist until the last call that uses them has returned, since each call holds this object.
package final class StreamConnection: @unchecked Sendable {
    let connection: OpaquePointer
    let context: OpaquePointer
    let queue = BlockingQueue("stream")
    private let retired = RetiredSubscriptions()
    private let retiring = BlockingQueue("retiring")
    let requestTimeout: Duration

    private init(_ configuration: TransportConfiguration) throws(TransportError) {
        let options = try ConnectionOptions.make(configuration)
        var made: OpaquePointer?
        try check(natsConnection_Connect(&made, options.pointer), "no connection to the servers")
        guard let made else { throw TransportError(.unexpected, "no connection to the servers") }
        var settings = jsOptions()
        jsOptions_Init(&settings)
        settings.Wait = configuration.requestTimeout.milliseconds
        var context: OpaquePointer?
        let status = natsConnection_JetStream(&context, made, &settings)
        guard status == NATS_OK, let context else {
            natsConnection_Destroy(made)
            throw TransportError(status, "JetStream cannot be used")
        }
        connection = made
        self.context = context
        requestTimeout = configuration.requestTimeout
    }

    deinit {
        natsConnection_Close(connection)
        retired.destroyAll()
        jsCtx_Destroy(context)
        natsConnection_Destroy(connection)
    }

    /// Connects, trying each server once.
    package static func connect(
        _ configuration: TransportConfiguration
    ) async throws(TransportError) -> StreamConnection {
        try await BlockingQueue("connect").run { () throws(TransportError) in
            try StreamConnection(configuration)
        }
    }

    /// Destroys a subscription that is no longer used, as soon as that is safe.
    func retire(_ subscription: OpaquePointer) {
        retired.add(RetiredSubscriptions.Subscription(pointer: subscription))
        retiring.start {
            self.retired.destroy(behindAnswerOf: self.connection, within: self.requestTimeout)
        }
    }

    /// Closes the connection, and ends all calls of the connection and its followers that wait for the servers.
    package func close() async {
        // Do not use the connection's queue, on which this call would wait for the calls that it should end.
        try? await BlockingQueue("close").run { () throws(TransportError) in
            natsConnection_Close(self.connection)
        }
    }

    package enum State: String, Sendable, CaseIterable {
        case connected
        /// libnats is trying to reach one of the servers again.
        case reconnecting
        /// The connection is closed for good, and a new one is needed.
        case closed
    }

    package var state: State {
        switch natsConnection_Status(connection) {
        case NATS_CONN_STATUS_CONNECTED, NATS_CONN_STATUS_DRAINING_SUBS, NATS_CONN_STATUS_DRAINING_PUBS: .connected
        case NATS_CONN_STATUS_CLOSED: .closed
        default: .reconnecting
        }
    }
}
