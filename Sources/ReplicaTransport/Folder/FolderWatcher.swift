import Dispatch
import Glibc
import StoreBasics
import Synchronization

/// Waits for changes in a group's folder: by inotify(7), which reports changes by programs of this machine only, and by
/// the caller's repeated listing, which also finds changes that arrive over a network file system.
///
/// @unchecked Sendable because the dispatch source is used only by `init` and `deinit`.
final class FolderWatcher: @unchecked Sendable {
    private struct Waiter {
        /// `nil` for a change in any channel.
        let channel: String?
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        /// The number of changes in the folder of each channel.
        var counts: [String: UInt64] = [:]
        /// The number of changes that may concern any channel.
        var common: UInt64 = 0
        /// The number of all changes.
        var total: UInt64 = 0
        var channels: [Int32: String] = [:]
        var waiters: [UInt64: Waiter] = [:]
        var cancelled: Set<UInt64> = []
        var nextWaiter: UInt64 = 0

        func count(_ channel: String?) -> UInt64 {
            channel.map { common &+ (counts[$0] ?? 0) } ?? total
        }
    }

    /// The longest time between two listings. inotify does not report changes that another machine makes in a network
    /// file system.
    static let pollInterval = Duration.seconds(10)

    private let state = Mutex(State())
    /// -1 if this user has too many instances of inotify. Then only the repeated listing finds changes.
    private let descriptor: Int32
    private let source: (any DispatchSourceRead)?

    /// - Parameter root: the group's folder, whose subfolders are the channels.
    init(root: String) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        self.descriptor = descriptor
        guard descriptor >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "ghoststore.transport.watch"))
        self.source = source
        source.setEventHandler { [weak self] in self?.readEvents() }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        _ = inotify_add_watch(descriptor, root, UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF))
    }

    deinit {
        source?.cancel()
    }

    /// Watches the folder of a channel. Has no effect if the folder does not exist yet, or is watched already.
    func watch(_ folder: ChannelFolder) {
        let watch = inotify_add_watch(descriptor, folder.path, UInt32(IN_MOVED_TO | IN_CLOSE_WRITE))
        guard watch >= 0 else { return }
        state.withLock { $0.channels[watch] = folder.channel }
    }

    /// Returns a number that grows with every change that may concern the channel. For `nil`, it grows with every
    /// change. Read it before listing the folder.
    func count(_ channel: String?) -> UInt64 {
        state.withLock { $0.count(channel) }
    }

    /// Waits for a change after the one with the given number, for the end of the time, or for the cancellation of the
    /// task.
    func wait(_ channel: String?, after seen: UInt64, until end: ContinuousClock.Instant) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(until: end, clock: .continuous) }
            group.addTask { await self.change(of: channel, after: seen) }
            await group.next()
            group.cancelAll()
        }
    }

    private func change(of channel: String?, after seen: UInt64) async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.cancelled.remove(number) == nil, state.count(channel) == seen else { return true }
                    state.waiters[number] = Waiter(channel: channel, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: number)
                if waiter == nil { state.cancelled.insert(number) }
                return waiter
            }
            waiter?.continuation.resume()
        }
        state.withLock { _ = $0.cancelled.remove(number) }
    }

    private func readEvents() {
        var changed: Set<String> = []
        var isCommon = false
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    offset += MemoryLayout<inotify_event>.size + Int(event.len)
                    let channel = state.withLock { state in
                        event.mask & UInt32(IN_IGNORED) == 0
                            ? state.channels[event.wd] : state.channels.removeValue(forKey: event.wd)
                    }
                    // An event of the group's own folder, or the overflow of inotify's queue, may concern any channel.
                    if let channel { changed.insert(channel) } else { isCommon = true }
                }
            }
        }
        let waiters = state.withLock { state in
            state.total &+= 1
            if isCommon { state.common &+= 1 }
            for channel in changed { state.counts[channel, default: 0] &+= 1 }
            let woken = state.waiters.filter { isCommon || $0.value.channel.map(changed.contains) ?? true }
            for number in woken.keys { state.waiters[number] = nil }
            return woken.values.map(\.continuation)
        }
        waiters.forEach { $0.resume() }
    }
}
