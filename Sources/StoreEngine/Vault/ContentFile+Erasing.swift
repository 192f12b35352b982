import CLinuxShims
import Glibc
import StoreBasics
import StoreCrypto

extension ContentFile {
    /// Overwrites unused slots, syncs the file, and frees the disk space of the slots.
    borrowing func erase(_ slots: Range<UInt64>) throws(StoreError) {
        guard !slots.isEmpty else { return }
        try overwrite(slots)
        try sync()
        try punchHole(slots)
    }

    /// Examines unused slots and erases those that contain anything but zeros.
    ///
    /// - Parameter slotsMax: the number of slots that one step may examine. Holes of the file do not count.
    /// - Returns: the first slot that was not examined.
    borrowing func eraseUsed(_ slots: Range<UInt64>, slotsMax: UInt64) throws(StoreError) -> UInt64 {
        var buffer = [UInt8](repeating: 0, count: slotBytes)
        var slotsLeft = slotsMax
        var used: [Range<UInt64>] = []
        var slot = slots.lowerBound
        while slotsLeft > 0, let next = try firstSlotWithData(slots.clamped(to: slot..<slots.upperBound)) {
            if try !isZero(next, &buffer) {
                try overwrite(next..<(next + 1))
                used.append(next..<(next + 1))
            }
            slot = next + 1
            slotsLeft -= 1
        }
        if !used.isEmpty {
            try sync()
            for slots in used {
                try punchHole(slots)
            }
        }
        return slotsLeft > 0 ? slots.upperBound : slot
    }

    /// Overwrites and truncates at most `slotsMax` slots at the end of the file, but none before the slot `end`. If all
    /// slots from `end` on are holes, truncates them at once.
    ///
    /// - Returns: True if slots from `end` on are left.
    borrowing func eraseSomeBehind(_ end: UInt64, slotsMax: UInt64) throws(StoreError) -> Bool {
        let size = try size()
        let endOffset = try offset(of: end)
        guard size > endOffset else { return false }
        let fileEnd = UInt64((size - 1 - ContentHeader.byteCount) / slotBytes) + 1
        let isHole = try firstSlotWithData(end..<fileEnd) == nil
        let first = isHole ? end : max(end, fileEnd - min(fileEnd, slotsMax))
        if !isHole {
            // Overwrite the slots before truncating: the disk blocks cannot be overwritten afterwards.
            try overwrite(first..<fileEnd)
            try sync()
        }
        let cut = try offset(of: first)
        guard ftruncate(descriptor.number, cut) == 0 else {
            throw SystemFailure.error("a file of the vault cannot be truncated", errno)
        }
        return first > end
    }

    private borrowing func size() throws(StoreError) -> Int {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else {
            throw SystemFailure.error("a file of the vault cannot be examined", errno)
        }
        return Int(status.st_size)
    }

    /// Returns the first slot with data; `nil` if all slots are holes or after the end of the file.
    private borrowing func firstSlotWithData(_ slots: Range<UInt64>) throws(StoreError) -> UInt64? {
        guard !slots.isEmpty else { return nil }
        let (start, end) = (try offset(of: slots.lowerBound), try offset(of: slots.upperBound))
        let data = ghost_next_data(descriptor.number, Int64(start))
        guard data >= 0 else {
            guard errno == ENXIO else { throw SystemFailure.error("a file of the vault cannot be examined", errno) }
            return nil
        }
        guard data < end else { return nil }
        return slots.lowerBound + UInt64(max(0, Int(data) - start) / slotBytes)
    }

    private borrowing func isZero(_ slot: UInt64, _ buffer: inout [UInt8]) throws(StoreError) -> Bool {
        let offset = try offset(of: slot)
        let count = try buffer.withUnsafeMutableBufferPointer { buffer throws(StoreError) in
            try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
        return buffer.prefix(count).allSatisfy { $0 == 0 }
    }

    private borrowing func overwrite(_ slots: Range<UInt64>) throws(StoreError) {
        let zeros = [UInt8](repeating: 0, count: slotBytes)
        for slot in slots {
            let offset = try offset(of: slot)
            try zeros.withUnsafeBufferPointer { zeros throws(StoreError) in
                try write(UnsafeRawBufferPointer(zeros), at: offset)
            }
        }
    }

    private borrowing func punchHole(_ slots: Range<UInt64>) throws(StoreError) {
        let start = try offset(of: slots.lowerBound)
        ghost_punch_hole(descriptor.number, Int64(start), Int64(slots.count * slotBytes))
    }
}
