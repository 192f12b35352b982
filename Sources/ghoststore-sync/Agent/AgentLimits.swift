/// The limits for the agent's memory and threads.
struct AgentLimits: Sendable, Hashable {
    /// The most bytes of all messages in memory.
    var bytesInFlight = 16 << 20
    /// The most bytes of one channel's messages that are read at once.
    var roundBytes = 1 << 20
    /// The most channels, published and followed together. Each has a task, and each followed one also occupies a
    /// thread while it waits.
    var channelsMax = 144
}
