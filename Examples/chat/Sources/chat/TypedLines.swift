import Foundation

/// Lines of standard input. `readLine` waits on a thread of its own: Swift's tasks share a few, which must not wait.
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
