/// The settings of a client. All its limits are here, with their units.
public struct ClientConfiguration: Hashable, Sendable {
    /// The name that the daemon shows in its logs and status, at most 64 bytes: "myapp/1.2".
    public var clientName = "swift-store-client"
    /// The longest time of a call, including waits and retries. `StoreClient.with(deadline:)` sets another one. Long
    /// work (backup, restore, check, rotation) has no deadline unless `with(deadline:)` sets one.
    public var callDeadline: Duration = .seconds(30)
    /// The longest time of one attempt to connect, for a daemon that is slow to accept connections. `connect` itself
    /// takes at most `callDeadline`, including the daemon's first answer. For a connect of at most five seconds, set
    /// `configuration.callDeadline = .seconds(5)`, and give later calls more time with `StoreClient.with(deadline:)`.
    public var connectTimeout: Duration = .seconds(5)
    /// The largest number of calls that are sent and not answered yet. Further calls wait for their turn.
    public var inFlightCallsMax = 128
    /// The largest number of calls that wait for their turn or for a connection. Further calls fail with
    /// `TOO_MANY_WAITING_CALLS`.
    public var waitingCallsMax = 16_384
    /// The pause before the second attempt to reconnect; the first attempt has no pause. The pause doubles with each
    /// attempt up to `reconnectDelayMax`, until a call is answered.
    public var reconnectDelayMin: Duration = .milliseconds(20)
    /// The longest pause between two attempts to reconnect.
    public var reconnectDelayMax: Duration = .seconds(2)
    /// The number of changes that a watch buffers for a consumer that is slower than the store. Above it, or above 16
    /// MiB, the watch unsubscribes. It subscribes again by revision when the consumer has caught up, so that no change
    /// is lost.
    public var watchBufferChangesMax = 4_096

    /// Creates a configuration with the default values.
    public init() {}
}
