import ServiceLifecycle
import ServiceSupport
import StoreEngine
import StoreServer

/// Reports to the service manager that the daemon is ready, the state of its store, and that it stops.
struct Announcer: Service {
    let notifier: ServiceNotifier
    let state: @Sendable () -> StoreState

    /// The interval at which this service reads the store's state, to report each change. `systemctl status` shows the
    /// last report.
    private static let statusInterval = Duration.seconds(10)

    func run() async throws {
        let first = state()
        notifier.send(.ready, .status(Self.statusLine(first)))
        ProcessSettings.releaseStartPages()
        await cancelWhenGracefulShutdown {
            await showChanges(since: first)
        }
        notifier.send(.stopping, .status("finishing the requests in progress"))
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
        case .readOnly: "the disk is full: only reads and deletes work"
        case .failed(let error): "the store is not open: \(error.message)"
        }
    }
}
