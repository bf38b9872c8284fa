import Blueprint
import Project
import Script

/// A time zone as the CDK has it: `TimeZone.of('Europe/Berlin')`, or a constant that is made of its name, `TimeZone.AMERICA_NEW_YORK`.
enum CDKTimeZone {
    /// Areas within areas.
    private static let innerAreas = [
        "America/Argentina", "America/Indiana", "America/Kentucky", "America/North_Dakota",
    ]
    /// Words of names that are not written like others.
    private static let words = ["of": "of", "es": "es", "au": "au", "utc": "UTC", "gmt": "GMT", "uct": "UCT"]

    static func name(of value: ProgramValue) -> String? {
        guard case .object(let object) = value, let opaque = object as? OpaqueObject else { return nil }
        if opaque.origin.hasSuffix("TimeZone.of()"), case .call(let given) = opaque.making,
            case .text(let name)? = given.first
        {
            return name.string
        }
        let parts = opaque.origin.parts(separatedBy: ".")
        guard parts.count > 1, parts[parts.count - 2] == "TimeZone", let constant = parts.last else { return nil }
        return name(ofConstant: constant)
    }

    static func name(ofConstant constant: String) -> String {
        let words = constant.parts(separatedBy: "_").map(Self.word)
        guard let area = words.first, words.count > 1 else { return constant }
        var name = "\(area)/\(words.dropFirst().joined(separator: "_"))"
        name = name.parts(separatedBy: "_Minus_").joined(separator: "-")
        for inner in innerAreas where name.hasPrefix(inner + "_") {
            return "\(inner)/\(name.dropFirst(inner.count + 1))"
        }
        return name
    }

    /// `YORK` as `York`. The names of areas and places are ASCII.
    private static func word(_ word: String) -> String {
        let small = word.lowercased()
        return words[small] ?? small.prefix(1).uppercased() + small.dropFirst()
    }
}
