/// How a client behaves. Every bound is here, with its unit.
public struct ClientConfiguration: Hashable, Sendable {
    /// Told to the daemon for its logs and status, at most 64 bytes: "myapp/1.2".
    public var clientName = "swift-store-client"
    /// What a call may take in all, waiting and retries included. `StoreClient.with(deadline:)` sets another one.
    /// Long work (backup, restore, check, rotation) has none unless `with(deadline:)` gives one.
    public var callDeadline: Duration = .seconds(30)
    /// The longest wait of one attempt to connect, for a daemon that is slow to accept connections. `connect` itself
    /// takes at most `callDeadline`, including the daemon's first answer. For a connect of at most five seconds, set
    /// `configuration.callDeadline = .seconds(5)`, and give later calls more time with `StoreClient.with(deadline:)`.
    public var connectTimeout: Duration = .seconds(5)
    /// Calls sent and not answered yet; further ones wait for their turn.
    public var inFlightCallsMax = 128
    /// Calls that wait for their turn or for a connection; further ones fail with `TOO_MANY_WAITING_CALLS`.
    public var waitingCallsMax = 16_384
    /// Pause before the second attempt to reconnect (the first is made at once). Doubles up to `reconnectDelayMax`
    /// until a call is answered.
    public var reconnectDelayMin: Duration = .milliseconds(20)
    /// The longest pause between two attempts to reconnect.
    public var reconnectDelayMax: Duration = .seconds(2)
    /// Changes a watch keeps for a consumer that is slower than the store. When they are exceeded the watch stops
    /// listening and subscribes again, by revision, as soon as the consumer has caught up: nothing is lost. So it does
    /// when they have more than 16 MiB.
    public var watchBufferChangesMax = 4_096

    /// As the properties say.
    public init() {}
}
