import ServiceLifecycle
import ServiceSupport
import StoreEngine
import StoreServer

/// Tells the service manager that the daemon is ready, what its store is doing, and that it stops.
struct Announcer: Service {
    let notifier: ServiceNotifier
    let state: @Sendable () -> StoreState

    /// How often a change of the store's state is looked for, to show it in `systemctl status`.
    private static let statusInterval = Duration.seconds(2)

    func run() async throws {
        let first = state()
        notifier.send(.ready, .status(Self.statusLine(first)))
        ProcessSettings.releaseStartPages()
        await cancelWhenGracefulShutdown {
            await showChanges(since: first)
        }
        notifier.send(.stopping, .status("finishing the requests in flight"))
    }

    private func showChanges(since first: StoreState) async {
        var shown = first
        while (try? await Task.sleep(for: Self.statusInterval)) != nil {
            let current = state()
            if current != shown {
                notifier.send(.status(Self.statusLine(current)))
                shown = current
            }
        }
    }

    static func statusLine(_ state: StoreState) -> String {
        switch state {
        case .absent: "no store yet: create one with ghoststorectl init"
        case .locked: "the store is locked"
        case .open: "the store is open"
        case .readOnly: "the disk is full: reads and deletes only"
        case .failed(let error): "the store is not open: \(error.message)"
        }
    }
}
