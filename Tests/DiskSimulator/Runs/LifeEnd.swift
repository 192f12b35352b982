import CSimulatedDisk
import Glibc

/// The result of a life, decoded from the exit status of its process.
enum LifeEnd: Equatable {
    /// The life has done all its work.
    case done
    /// The plan ended the process, as a kill or a power cut would.
    case ended
    /// The store reported that it has to stop.
    case stopped
    /// A check failed.
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
    /// Runs the life in a process of its own.
    func run(_ plan: disk_plan) -> LifeEnd {
        var (life, plan) = (self, plan)
        let status = withUnsafeMutablePointer(to: &life) { life in
            disk_live(&plan, { $0?.assumingMemoryBound(to: Life.self).pointee.run() ?? 1 }, life)
        }
        return LifeEnd(waitStatus: status)
    }
}

/// C strings that must exist as long as the process, because the plan points to them.
private let journalFolder = UInt(bitPattern: strdup("/state/journal/"))
private let vaultFolder = UInt(bitPattern: strdup("/state/vault/"))

extension disk_plan {
    /// Makes the simulated disk check that removed content is erased. The header of a journal segment must be
    /// overwritten before its file is deleted. The same holds for bytes that are truncated from files of the vault or
    /// punched out of them. A new vault file that no row refers to contains only noise, so it may be deleted as it is.
    mutating func guardErasures() {
        heads_erased_in = UnsafePointer(bitPattern: journalFolder)
        head_bytes = 128
        cuts_erased_in = UnsafePointer(bitPattern: vaultFolder)
    }
}
