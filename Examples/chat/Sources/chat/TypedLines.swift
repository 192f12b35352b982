import Foundation

/// Lines of standard input. `readLine` blocks its thread, so it runs on a thread of its own. The threads that Swift's
/// tasks share must not block.
enum TypedLines {
    static func stream() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() {
                    continuation.yield(line)
                }
                continuation.finish()
            }
        }
    }
}
