import Engine

/// The part of an operation that an exchange carries from the answer to the log, in one word: an answer costs no more for it.
struct OperationSummary: Equatable, Sendable {
    /// The operation's place among `RootFields.entries`.
    let number: Int
    let fieldCount: Int
    let caller: CallerKind
    let errorCount: Int
    /// A bit for each of `ErrorName.all`.
    let errorNames: UInt64

    // From the lowest bit: a mark that there is a summary, number, fields, caller, errors, and which.
    private static let (numberBits, fieldBits, callerBits, countBits, nameBits):
        (UInt64, UInt64, UInt64, UInt64, UInt64) =
            (10, 4, 3, 6, 40)

    init(_ note: OperationNote) {
        number = note.number
        fieldCount = note.fieldCount
        caller = note.caller
        errorCount = note.errorCount
        errorNames = note.errorNames
    }

    /// Nil for 0, which stands for none.
    init?(word: UInt64) {
        guard word & 1 == 1 else { return nil }
        var rest = word >> 1
        func take(_ bits: UInt64) -> UInt64 {
            defer { rest >>= bits }
            return rest & (1 << bits - 1)
        }
        number = Int(take(Self.numberBits))
        fieldCount = Int(take(Self.fieldBits))
        caller = CallerKind(rawValue: Int(take(Self.callerBits))) ?? .none
        errorCount = Int(take(Self.countBits))
        errorNames = take(Self.nameBits)
    }

    /// Counts that do not fit stay at the most that does.
    var word: UInt64 {
        var word: UInt64 = 0
        func put(_ value: UInt64, _ bits: UInt64) { word = word << bits | min(value, 1 << bits - 1) }
        put(errorNames & (1 << Self.nameBits - 1), Self.nameBits)
        put(UInt64(clamping: errorCount), Self.countBits)
        put(UInt64(clamping: caller.rawValue), Self.callerBits)
        put(UInt64(clamping: fieldCount), Self.fieldBits)
        put(UInt64(clamping: number), Self.numberBits)
        return word << 1 | 1
    }

    /// The most errors that are told apart from more.
    static let errorCountMax = 1 << countBits - 1
}
