import CSimulatedDisk
import Glibc
import StoreBasics

/// Lets the nth operation of one life fail, for every n. Everything that was acknowledged must still be true, and the
/// next life must find all of it on a disk that works again.
struct Faults {
    private struct Fault {
        let error: Int32
        let isForEver: Bool
        let writesHalf: Bool

        var name: String {
            (error == ENOSPC ? "ENOSPC" : "EIO") + (isForEver ? " for ever" : " once") + (writesHalf ? ", half" : "")
        }
    }

    private static let all = [
        Fault(error: EIO, isForEver: false, writesHalf: false), Fault(error: EIO, isForEver: true, writesHalf: false),
        Fault(error: ENOSPC, isForEver: false, writesHalf: true),
        Fault(error: ENOSPC, isForEver: true, writesHalf: false),
    ]

    private let folder: String
    private let seed: UInt64

    init(in folder: String, seed: UInt64) {
        self.folder = folder
        self.seed = seed
    }

    /// Runs the faults, and stops at the first one after which a check fails. Returns true if none fails.
    ///
    /// - Parameter countMax: the number of faults to try, drawn from all possible ones.
    func run(upTo countMax: Int, part: Part) -> Bool {
        var random = SplitMix(seed: seed)
        var (done, stopped) = (0, 0)
        for fault in Self.all {
            guard let possible = countOperations(fault) else { return false }
            let stride = max(1, possible * Self.all.count / max(1, countMax))
            var place = 1 + random.number(below: stride)
            while place <= possible {
                if part.has(place / stride) {
                    guard let hasStopped = fail(place, fault, &random) else { return false }
                    done += 1
                    stopped += hasStopped ? 1 : 0
                }
                place += stride
            }
            print("\(fault.name): \(possible) operations, every \(stride)th failed")
        }
        print("\(done) failures, \(stopped) of which stopped the store")
        return true
    }

    private func countOperations(_ fault: Fault) -> Int? {
        guard prepare() else { return nil }
        var plan = disk_plan()
        plan.error = fault.error
        guard case .done = life(1, .fixed, isFaulty: true).run(plan) else {
            print("FAILED: the work without a failure: \(String(cString: disk_failure()))")
            return nil
        }
        return Int(disk_fallible())
    }

    /// Creates a new store with some content of each kind. Returns true if that succeeded.
    private func prepare() -> Bool {
        disk_format()
        let end = life(0, .fixed).run(disk_plan())
        if end != .done {
            print("FAILED: the life before: \(end)")
        }
        return end == .done
    }

    /// Runs a life in which one operation fails, and the next life on a working disk.
    ///
    /// - Returns: true if the store stopped; `nil` if something was wrong.
    private func fail(_ place: Int, _ fault: Fault, _ random: inout SplitMix) -> Bool? {
        guard prepare() else { return nil }
        var plan = disk_plan()
        plan.error = fault.error
        plan.fail_at = UInt64(place)
        plan.fails_for_ever = fault.isForEver ? 1 : 0
        plan.writes_half = fault.writesHalf ? 1 : 0
        let end = life(1, .fixed, isFaulty: true).run(plan)
        if case .failed(let words) = end {
            print("FAILED: \(fault.name) at operation \(place): \(words)")
            return nil
        }
        if random.isOne(of: 2) {
            disk_cut_power(random.next(), DISK_SOME)
        }
        let next = life(2, .fixed, isChecked: true).run(disk_plan())
        guard next == .done else {
            print("FAILED: \(fault.name) at operation \(place), which was \(end): the next life: \(next)")
            return nil
        }
        return end == .stopped
    }

    private func life(_ number: Int, _ work: Life.Amount, isFaulty: Bool = false, isChecked: Bool = false) -> Life {
        Life(
            in: folder, storeSeed: seed, number: number, work: work, isFaulty: isFaulty, isChecked: isChecked)
    }
}
