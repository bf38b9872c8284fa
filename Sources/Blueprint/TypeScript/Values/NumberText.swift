/// The text of a number as JavaScript writes it: the fewest digits that mean it, with an exponent only when it is far
/// from 1.
enum NumberText {
    static func text(of number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number == 0 { return "0" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        // What Swift prints has the fewest digits too; only their layout differs.
        var digits: [UInt8] = []
        var point: Int?
        var exponent = 0
        let text = Array(number.magnitude.description.utf8)
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "e") {
                exponent = Int(String(decoding: text[(index + 1)...], as: UTF8.self)) ?? 0
                break
            }
            if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte) }
        }
        var place = (point ?? digits.count) + exponent
        while digits.count > 1, digits.first == UInt8(ascii: "0") {
            digits.removeFirst()
            place -= 1
        }
        while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return (number < 0 ? "-" : "") + layout(String(decoding: digits, as: UTF8.self), place)
    }

    /// Digits with the point behind so many of them.
    private static func layout(_ digits: String, _ place: Int) -> String {
        let count = digits.utf8.count
        switch place {
        case count...21 where count <= place: return digits + String(repeating: "0", count: place - count)
        case 1...21: return digits.prefix(place) + "." + digits.dropFirst(place)
        case -5...0: return "0." + String(repeating: "0", count: -place) + digits
        default:
            let exponent = place - 1
            let mantissa = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst(1)
            return "\(mantissa)e\(exponent < 0 ? "-" : "+")\(abs(exponent))"
        }
    }
}
