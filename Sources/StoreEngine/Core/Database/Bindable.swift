import SQLCipher
import StoreBasics

/// What can stand for parameters of a statement: for one, or for several that follow each other.
protocol Bindable {
    /// Binds the parameters from `index` on and leaves it behind them.
    func bind(to statement: Statement, _ index: inout Int)
}

extension Int64: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        statement.bind(index, self)
        index += 1
    }
}

extension Int: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        Int64(self).bind(to: statement, &index)
    }
}

extension UInt32: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        Int64(self).bind(to: statement, &index)
    }
}

/// As the nearest number that SQLite has: what is greater is greater than all that is stored.
extension UInt64: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        Int64(clamping: self).bind(to: statement, &index)
    }
}

extension Bool: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        Int64(self ? 1 : 0).bind(to: statement, &index)
    }
}

extension String: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        statement.bind(index, self)
        index += 1
    }
}

extension [UInt8]: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        statement.bind(index, self)
        index += 1
    }
}

extension Timestamp: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        microseconds.bind(to: statement, &index)
    }
}

extension HistoryID: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        bytes.bind(to: statement, &index)
    }
}

extension Name: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        text.bind(to: statement, &index)
    }
}

/// The number of a device: a hash, of which SQLite keeps all bits. As a plain `UInt64` half of them would be bound as
/// the greatest number.
struct DeviceColumn: Bindable {
    private let bits: Int64

    init(_ device: UInt64) {
        bits = Int64(bitPattern: device)
    }

    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        bits.bind(to: statement, &index)
    }
}

/// Bytes of a secret, bound where they lie: the one copy is of SQLCipher, which wipes what it frees.
/// Not to be kept longer than they may be looked at.
struct SecretColumn: Bindable {
    let bytes: UnsafeRawBufferPointer

    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        statement.bind(index, bytes)
        index += 1
    }
}

/// `nil` is NULL: for values that stand for one parameter.
extension Optional: Bindable where Wrapped: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        switch self {
        case .some(let value):
            value.bind(to: statement, &index)
        case .none:
            statement.bindNull(index)
            index += 1
        }
    }
}
