import Synchronization

/// Ticks, each with milliseconds and a counter. A new tick is greater than all earlier ticks of this process.
enum TimeOrder {
    struct Tick: Equatable {
        var milliseconds: UInt64 = 0
        var counter: UInt64 = 0

        /// The largest counter, which has the 12 bits after the version (RFC 9562, section 6.2, method 1).
        static let counterMax: UInt64 = 0xfff

        /// Returns the next tick: at `milliseconds`, unless this tick is already later.
        func next(atLeastMilliseconds milliseconds: UInt64) -> Tick {
            if milliseconds > self.milliseconds {
                return Tick(milliseconds: milliseconds)
            }
            if counter < Self.counterMax {
                return Tick(milliseconds: self.milliseconds, counter: counter + 1)
            }
            // The clock stands still or was set back. Run ahead of it instead of repeating a tick.
            return Tick(milliseconds: self.milliseconds + 1)
        }
    }

    private static let last = Mutex(Tick())

    static func next(atLeastMilliseconds milliseconds: UInt64) -> Tick {
        last.withLock { last in
            last = last.next(atLeastMilliseconds: milliseconds)
            return last
        }
    }
}
