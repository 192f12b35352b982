import Glibc

/// Runs histories in which a life is interrupted at each of its operations in turn. `Cuts`, in contrast, interrupts
/// lives at random operations.
struct Walks {
    private let folder: String
    private let seed: UInt64
    private let stride: UInt64

    /// - Parameter stride: with 1 a life is interrupted at each of its operations, with 3 at every third.
    init(in folder: String, seed: UInt64, stride: UInt64 = 1) {
        self.folder = folder
        self.seed = seed
        self.stride = stride
    }

    /// Runs the walks and prints their results. Returns true if all succeed.
    ///
    /// - Parameter wanted: a text that selects the walks whose names contain it.
    func run(named wanted: String, part: Part) -> Bool {
        var isWell = true
        for (index, walk) in Walk.all.enumerated() where walk.name.contains(wanted) || wanted.isEmpty {
            guard part.has(index) else { continue }
            var history = history()
            do throws(WalkedHistory.Failure) {
                try history.run(walk)
                print("\(walk.name): broken off at \(history.places) places, \(history.losses) losses accepted")
            } catch {
                isWell = false
                print("FAILED: \(walk.name), broken off at \(history.place): \(error.words)")
            }
            fflush(nil)
        }
        return isWell
    }

    /// Runs each walk once for each call site that it needs, without the syncs of this site. Returns true if every run
    /// fails.
    ///
    /// - Parameter wanted: a text that selects the call sites whose names contain it.
    func runControls(sites wanted: String, part: Part) -> Bool {
        var isWell = true
        for (index, walk) in Walk.all.enumerated() where part.has(index) {
            for place in walk.notices where place.contains(wanted) || wanted.isEmpty {
                isWell = leaveOut(place, of: walk) && isWell
                fflush(nil)
            }
        }
        return isWell
    }

    private func leaveOut(_ place: String, of walk: Walk) -> Bool {
        var history = history()
        history.sought = place
        do throws(WalkedHistory.Failure) {
            try history.run(walk)
        } catch {
            print("FAILED without a sync left out: \(walk.name), broken off at \(history.place): \(error.words)")
            return false
        }
        guard let site = history.found else {
            print("NOT FOUND any more: \(place), by the walk: \(walk.name)")
            return false
        }
        history = self.history()
        history.droppedSite = site.hash
        do throws(WalkedHistory.Failure) {
            try history.run(walk)
        } catch {
            print("noticed at \(history.place) of the walk: \(walk.name): \(place): \(error.words)")
            return true
        }
        print("NOT NOTICED by the walk: \(walk.name): \(place)")
        return false
    }

    private func history() -> WalkedHistory {
        WalkedHistory(in: folder, seed: seed, stride: stride)
    }
}
