/// How long something is good, as a person writes it: `90s`, `15m`, `1h`, `7d`.
enum LifeTime {
    /// The longest life time: no token is meant to outlive the machine.
    static let secondsMax: Int64 = 3_650 * 86_400

    /// The seconds of a text; nil when it is none, or no time between a second and the maximum.
    static func seconds(of text: String) -> Int64? {
        guard let unit = text.utf8.last, let factor = factors[unit] else { return nil }
        let digits = text.utf8.dropLast()
        // So that nothing but digits is read as a number.
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text.dropLast())
        else { return nil }
        let (seconds, isTooLong) = count.multipliedReportingOverflow(by: factor)
        return isTooLong || !(1...secondsMax).contains(seconds) ? nil : seconds
    }

    private static let factors: [UInt8: Int64] = [
        UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3_600, UInt8(ascii: "d"): 86_400,
    ]
}
