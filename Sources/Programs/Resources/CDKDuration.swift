import Project
import Script

/// `Duration.minutes(5)`, `Duration.hours(1).plus(Duration.minutes(30))`, `Duration.parse('PT1H30M')`
enum CDKDuration {
    private static let units = [
        ("millis", 0.001), ("seconds", 1.0), ("minutes", 60), ("hours", 3_600), ("days", 86_400),
    ]
    private static let depthMax = 16

    /// Whole seconds; nil: they are not known.
    static func seconds(_ value: ProgramValue) -> Int? { exact(value, depth: 0).flatMap { Int(exactly: $0.rounded()) } }

    private static func exact(_ value: ProgramValue, depth: Int) -> Double? {
        guard depth < depthMax, let duration = value.opaque, case .call(let given) = duration.making,
            let first = given.first
        else { return nil }
        if case .member(let start, "plus")? = duration.function?.making {
            guard let one = exact(.object(start), depth: depth + 1), let other = exact(first, depth: depth + 1) else {
                return nil
            }
            return one + other
        }
        if case .text(let text) = first {
            return duration.origin.hasSuffix("Duration.parse()") ? parsed(text.string) : nil
        }
        guard case .number(let amount) = first,
            let unit = units.first(where: { duration.origin.hasSuffix("Duration.\($0.0)()") })
        else { return nil }
        return amount * unit.1
    }

    /// `P1DT2H3M4S`
    private static func parsed(_ text: String) -> Double? {
        var seconds = 0.0
        var digits = ""
        var isTime = false
        guard text.utf8.first == UInt8(ascii: "P"), text.utf8.count > 2 else { return nil }
        for letter in text.dropFirst() {
            switch letter {
            case "T" where !isTime && digits.isEmpty: isTime = true
            case "0"..."9": digits.append(letter)
            case "D", "H", "M", "S":
                guard let amount = Double(digits), (letter == "D") != isTime else { return nil }
                digits = ""
                seconds += amount * (letter == "D" ? 86_400 : letter == "H" ? 3_600 : letter == "M" ? 60 : 1)
            default: return nil
            }
        }
        return digits.isEmpty ? seconds : nil
    }
}
