import Synchronization

/// Milliseconds with a counter, never the same and never less than before in this process.
enum TimeOrder {
    struct Tick: Equatable {
        var milliseconds: UInt64 = 0
        var counter: UInt64 = 0

        /// RFC 9562, section 6.2, method 1: the counter has the 12 bits after the version.
        static let counterMax: UInt64 = 0xfff

        /// The tick after this one, at `milliseconds` unless that is in the past of this one.
        func next(atLeastMilliseconds milliseconds: UInt64) -> Tick {
            if milliseconds > self.milliseconds {
                return Tick(milliseconds: milliseconds)
            }
            if counter < Self.counterMax {
                return Tick(milliseconds: self.milliseconds, counter: counter + 1)
            }
            // The clock stands still or went back: run ahead of it rather than repeat.
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
