/// What the agent takes of memory and of threads at most.
struct AgentLimits: Sendable, Hashable {
    /// Of all messages that are held at once.
    var bytesInFlight = 16 << 20
    /// Of the messages of one channel that are taken at once.
    var roundBytes = 1 << 20
    /// Published and followed ones together: each has a task, and each that is followed a thread while it waits.
    var channelsMax = 144
}
