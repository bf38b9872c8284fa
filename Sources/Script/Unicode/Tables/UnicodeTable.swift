/// The data of Unicode that the standard library does not have, as texts of numbers written by `scripts/unicode-tables`.
enum UnicodeTable {
    /// Reads the numbers of a table: digits of five bits, the lowest first, each but the last with 32 added.
    struct Reader {
        private var rest: UnsafeBufferPointer<UInt8>.SubSequence

        init(_ table: StaticString) {
            rest = UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)[...]
        }

        init(_ text: UnsafeBufferPointer<UInt8>.SubSequence) {
            rest = text
        }

        /// The next number; nil at the end of the table.
        mutating func next() -> UInt32? {
            var value: UInt32 = 0
            var shift: UInt32 = 0
            while let byte = rest.popFirst() {
                // One place of the alphabet would be a backslash, so that digit is written as the letter after the last one.
                let digit = byte == 0x70 ? 44 : UInt32(byte &- 48)
                value |= (digit & 31) &<< shift
                if digit & 32 == 0 { return value }
                shift &+= 5
            }
            return nil
        }
    }
}
