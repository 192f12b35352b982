import CSimulatedDisk
import Glibc

/// How a life ended.
enum LifeEnd: Equatable {
    /// By itself, with all its work done.
    case done
    /// Where the plan said.
    case ended
    /// The store said that it cannot go on.
    case stopped
    /// Something is not as it must be.
    case failed(String)

    init(waitStatus status: Int32) {
        guard status & 0x7f == 0 else {
            self = .failed("the process was ended by signal \(status & 0x7f)")
            return
        }
        switch status >> 8 & 0xff {
        case 0: self = .done
        case DISK_LIFE_ENDED: self = .ended
        case DISK_LIFE_STOPPED: self = .stopped
        case DISK_LIFE_FAILED: self = .failed(String(cString: disk_failure()))
        case let code: self = .failed("the process ended with status \(code)")
        }
    }
}

extension Life {
    /// Runs it in a process of its own.
    func run(_ plan: disk_plan) -> LifeEnd {
        var (life, plan) = (self, plan)
        let status = withUnsafeMutablePointer(to: &life) { life in
            disk_live(&plan, { $0?.assumingMemoryBound(to: Life.self).pointee.run() ?? 1 }, life)
        }
        return LifeEnd(waitStatus: status)
    }
}

/// Where the names of folders lie for as long as the process runs.
private let journalFolder = UInt(bitPattern: strdup("/state/journal/"))
private let vaultFolder = UInt(bitPattern: strdup("/state/vault/"))

extension disk_plan {
    /// What is removed leaves the disk: the header of a segment goes before its file does, and what is cut off files of
    /// the vault, or is made a hole, was overwritten. A new file of the vault that no row names is noise, and goes as
    /// it is.
    mutating func guardErasures() {
        heads_erased_in = UnsafePointer(bitPattern: journalFolder)
        head_bytes = 128
        cuts_erased_in = UnsafePointer(bitPattern: vaultFolder)
    }
}
