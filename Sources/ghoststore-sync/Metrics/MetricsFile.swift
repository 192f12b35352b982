import Glibc
import Logging
import ServiceLifecycle
import StoreBasics

/// Writes the metrics for node exporter's textfile collector. Each write replaces the whole file atomically.
struct MetricsFile: Service {
    let path: String
    let figures: AgentFigures
    let logger: Logger
    private static let interval = Duration.seconds(15)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var wasLogged = false
            repeat {
                do throws(SystemError) {
                    try Self.replace(path, with: figures.text)
                    wasLogged = false
                } catch {
                    if !wasLogged {
                        logger.warning("the metrics file could not be written", metadata: ["cause": "\(error)"])
                    }
                    wasLogged = true
                }
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }

    /// Replaces the file. The write needs no thread of its own, because a few kilobytes go to the page cache without
    /// waiting for the disk.
    static func replace(_ path: String, with text: String) throws(SystemError) {
        let temporary = path + ".new"
        let number = try withoutInterruption {
            open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        }
        let descriptor = OwnedDescriptor(owning: number)
        try FileDescriptorCalls.write(descriptor.number, Array(text.utf8))
        try withoutInterruption { fchmod(descriptor.number, 0o644) }
        try withoutInterruption { rename(temporary, path) }
    }
}
