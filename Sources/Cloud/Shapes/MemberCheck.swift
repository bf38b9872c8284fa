import Crypto
import JSON

/// Checks a request's members against their shapes, and words what is wrong as the service does.
package struct MemberCheck {
    private let words: ServiceWords
    private var faults: [String] = []
    private static let shownBytesMax = 256

    /// Throws where a member has the wrong type, or some break their constraints.
    package static func run(
        _ members: [MemberShape.Member], on request: JSONObject, in words: ServiceWords
    ) throws(CloudError) {
        var check = MemberCheck(words: words)
        try check.check(members, request, at: "")
        guard let first = check.faults.first else { return }
        let others = check.faults.dropFirst().map { "; \($0)" }.joined()
        let count = check.faults.count == 1 ? "1 validation error" : "\(check.faults.count) validation errors"
        throw words.invalid("\(count) detected: \(first)\(others)")
    }

    private init(words: ServiceWords) { self.words = words }

    private mutating func check(
        _ members: [MemberShape.Member], _ object: JSONObject, at path: String
    ) throws(CloudError) {
        for member in members {
            let place = path.isEmpty ? Self.lowered(member.name) : "\(path).member.\(Self.lowered(member.name))"
            guard let value = object[member.name], !value.isNull else {
                if member.isRequired {
                    if let absence = words.absence { throw absence(member.name) }
                    tell(words.missing, place, "Member must not be null")
                }
                continue
            }
            try check(value, member.shape, at: place)
        }
    }

    private mutating func check(_ value: JSONValue, _ shape: MemberShape, at place: String) throws(CloudError) {
        switch shape {
        case .anything: break
        case .text(let lengths, let form, let isSecret):
            guard case .string(let text) = value else { throw wrongType(value, "String") }
            let shown = Self.shown(text, isSecret)
            // A character has one to four bytes, so most texts need not be counted.
            let bytes = text.utf8.count
            if bytes > lengths.upperBound || bytes / 4 < lengths.lowerBound {
                tell(shown, place, "length", text.unicodeScalars.count, lengths.lowerBound, lengths.upperBound)
            }
            if !form.admits(text) || (text.isEmpty && lengths.lowerBound > 0 && form.pattern.hasSuffix("+")) {
                tell(shown, place, "Member must satisfy regular expression pattern: \(form.pattern)")
            }
        case .choice(let names):
            guard case .string(let text) = value else { throw wrongType(value, "String") }
            if !names.contains(text) {
                let set = names.joined(separator: ", ")
                tell(Self.shown(text), place, "Member must satisfy enum value set: [\(set)]")
            }
        case .boolean:
            guard case .bool = value else { throw wrongType(value, "Boolean") }
        case .integer(let range):
            guard case .integer(let number) = value else { throw wrongType(value, "Integer") }
            tell(Self.shown("\(number)"), place, "value", number, range.lowerBound, range.upperBound)
        case .number:
            guard value.number?.isFinite == true else { throw wrongType(value, "Double") }
        case .bytes(let lengths):
            guard case .string(let text) = value else { throw wrongType(value, "Blob") }
            guard let bytes = Base64.bytes(of: text.utf8, .standard) else {
                throw words.unreadable("The member at '\(place)' is no base64.")
            }
            tell("Value", place, "length", bytes.count, lengths.lowerBound, lengths.upperBound)
        case .list(let element, let min, let max):
            guard case .array(let elements) = value else { throw wrongType(value, "List") }
            guard tell("Value", place, "length", elements.count, min, max) else { return }
            for (index, value) in elements.enumerated() { try check(value, element, at: "\(place).\(index + 1)") }
        case .texts(let keyMax, let valueMax):
            guard case .object(let object) = value else { throw wrongType(value, "Map") }
            guard tell("Value", place, "length", object.count, 0, CloudLimits.mapMembersMax) else { return }
            for member in object {
                guard case .string(let text) = member.value else { throw wrongType(member.value, "String") }
                guard member.key.unicodeScalars.count <= keyMax, text.unicodeScalars.count <= valueMax else {
                    tell("Value", place, Self.longValue(valueMax))
                    return
                }
            }
        case .map(let element, let keyMax, let max):
            guard case .object(let object) = value else { throw wrongType(value, "Map") }
            guard tell("Value", place, "length", object.count, 0, max) else { return }
            for member in object {
                guard member.key.unicodeScalars.count <= keyMax else {
                    tell("Value", place, Self.longValue(keyMax))
                    return
                }
                try check(member.value, element, at: "\(place).\(member.key)")
            }
        case .object(let members):
            guard case .object(let object) = value else { throw wrongType(value, "Structure") }
            try check(members, object, at: place)
        }
    }

    private static func longValue(_ max: Int) -> String {
        "Map value must satisfy constraint: [Member must have length less than or equal to \(max)]"
    }

    /// Returns whether a length or a value is within its bounds.
    @discardableResult
    private mutating func tell<Number: BinaryInteger>(
        _ shown: String, _ place: String, _ what: String, _ found: Number, _ min: Number, _ max: Number
    ) -> Bool {
        if found < min { tell(shown, place, "Member must have \(what) greater than or equal to \(min)") }
        if found > max { tell(shown, place, "Member must have \(what) less than or equal to \(max)") }
        return found >= min && found <= max
    }

    private static func shown(_ text: String, _ isSecret: Bool = false) -> String {
        isSecret || text.utf8.count > shownBytesMax || text.utf8.contains { $0 < 0x20 } ? "Value" : "Value '\(text)'"
    }

    private mutating func tell(_ shown: String, _ place: String, _ constraint: String) {
        guard faults.count < CloudLimits.faultsMax else { return }
        faults.append("\(shown) at '\(place)' failed to satisfy constraint: \(constraint)")
    }

    private func wrongType(_ value: JSONValue, _ wanted: String) -> CloudError {
        let found =
            switch value {
            case .null: "NULL_VALUE"
            case .bool(let bool): bool ? "TRUE_VALUE" : "FALSE_VALUE"
            case .integer, .double, .largeInteger: "NUMBER_VALUE"
            case .string: "STRING_VALUE"
            case .array: "START_ARRAY"
            case .object: "START_OBJECT"
            }
        return words.unreadable("\(found) can not be converted to a \(wanted)")
    }

    /// The service names members with a small first letter.
    private static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
