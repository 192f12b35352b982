import CSimulatedDisk
import FoundationEssentials
import Glibc
import StoreBasics

/// Runs the store's engine on a simulated disk on which nothing is durable before it is synced.
///
///     disk-simulator cuts|faults|controls|walks [--seed N] [--count N] [--folder PATH] [--site TEXT]
///                    [--part K/N] [--stride N] [--drop all]
@main
struct Simulator {
    private let folder: String
    private let arguments: Arguments

    static func main() {
        guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
            print(Arguments.usage)
            exit(64)
        }
        let folder = "\(arguments.folder)/disk-simulator-\(getpid())"
        guard mkdir(folder, 0o700) == 0, disk_make(folder) == 0 else {
            print("a folder for the disk cannot be made in \(arguments.folder)")
            exit(73)
        }
        print("seed \(arguments.seed)")
        let isWell = Simulator(folder: folder, arguments: arguments).run()
        try? FileManager.default.removeItem(atPath: folder)
        exit(isWell ? 0 : 1)
    }

    private func run() -> Bool {
        switch arguments.command {
        case .cuts: runCuts()
        case .faults: Faults(in: folder, seed: arguments.seed).run(upTo: arguments.count, part: arguments.part)
        case .controls: runControls()
        case .walks:
            Walks(in: folder, seed: arguments.seed, stride: arguments.stride)
                .run(named: arguments.sites, part: arguments.part)
        }
    }

    private func runControls() -> Bool {
        let areWalksWell = Walks(in: folder, seed: arguments.seed).runControls(
            sites: arguments.sites, part: arguments.part)
        let areCutsWell = Controls(in: folder, seed: arguments.seed).run(
            cutsMax: arguments.count, sites: arguments.sites, part: arguments.part)
        return areWalksWell && areCutsWell
    }

    private func runCuts() -> Bool {
        var cuts = Cuts(in: folder)
        cuts.droppedSite = arguments.dropsSyncs ? Cuts.allSites : 0
        let start = ContinuousClock.now
        var isWell = true
        do throws(Cuts.Failure) {
            try cuts.run(arguments.count, seed: arguments.seed)
        } catch {
            isWell = false
            print("FAILED: store \(error.storeSeed), life \(error.life): \(error.words)")
            print("again: disk-simulator cuts --seed \(error.storeSeed) --count 30")
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let tally = cuts.tally
        print(
            """
            \(tally.cuts) power cuts and \(tally.kills) kills in \(tally.lives) lives of \(tally.stores) stores, \
            \(tally.answers) works answered, \(tally.losses) losses accepted, \(Int(seconds * 10) / 10) seconds, \
            \(Int(Double(tally.cuts) / max(seconds, 0.001))) cuts a second
            """)
        return isWell
    }
}
