/// The form of a phone number that can exist: with a plus sign one of any country, else one of the United States.
///
/// The numbering plans of the world change weekly and are not in here: after a plus sign the count of digits decides.
enum PhoneNumber {
    static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
        let isInternational = text.first == UInt8(ascii: "+")
        var digits: [UInt8] = []
        for byte in text[(isInternational ? 1 : 0)...] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte)
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            default: return false
            }
        }
        guard !isInternational else { return (7...15).contains(digits.count) }
        if digits.count == 11, digits.first == UInt8(ascii: "1") { digits.removeFirst() }
        // Area code and exchange start with 2 to 9.
        return digits.count == 10 && digits[0] >= UInt8(ascii: "2") && digits[3] >= UInt8(ascii: "2")
    }
}
