import Synchronization

/// Makes UUIDv7 texts (RFC 9562 section 5.7): 48 bits of milliseconds, a counter that keeps ids of one process in
/// order, and 62 random bits. New ids land at the end of every index on them.
enum TimeOrderedID {
    private struct State {
        var milliseconds: UInt64 = 0
        var counter: UInt64 = 0
    }

    private static let state = Mutex(State())
    private static let counterMax: UInt64 = 0xfff

    static func make() -> EntityID {
        EntityID(trusted: text(now: UInt64(max(0, Timestamp.now.microseconds)) / 1_000))
    }

    static func text(now: UInt64) -> String {
        let (milliseconds, counter) = state.withLock { state -> (UInt64, UInt64) in
            if now > state.milliseconds {
                state.milliseconds = now
                state.counter = 0
            } else if state.counter < counterMax {
                state.counter += 1
            } else {
                // The clock stands still or went back: run ahead of it rather than repeat.
                state.milliseconds += 1
                state.counter = 0
            }
            return (state.milliseconds, state.counter)
        }
        let high = (milliseconds & 0xffff_ffff_ffff) << 16 | 0x7000 | counter
        let low = UInt64.random(in: 0...0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000
        return format(high: high, low: low)
    }

    static func format(high: UInt64, low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for (word, shifts) in [(high, 0), (low, 1)] {
                for digit in 0..<16 {
                    let index = shifts * 16 + digit
                    if index == 8 || index == 12 || index == 16 || index == 20 {
                        buffer[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit * 4)) & 0xf
                    buffer[position] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
                    position += 1
                }
            }
            return position
        }
    }
}
