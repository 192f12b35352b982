/// A sync that no power cut can tell from none: what it makes durable is so already, is made durable by another before
/// anything rests on it, or is made again.
struct SpareSync {
    /// As `Controls` prints it.
    let place: String
    let reason: String

    static let all: [SpareSync] = []
}
