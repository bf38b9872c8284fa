import Crypto
import JSON

/// Checks a request's members against their shapes, and words what is wrong as the service does.
///
/// Hot path: a member that is right makes no text. The path to a fault is made on the way back from it.
package struct MemberCheck {
    private let words: ServiceWords
    private var faults: [Fault] = []
    private static let shownBytesMax = 256

    private struct Fault {
        let shown: String
        /// The path to the member, from the shape that is being checked.
        var place: [UInt8] = []
        let constraint: String
        /// True for bytes that cannot be read.
        var isUnreadable = false
    }

    /// Throws where a member has the wrong type, or some break their constraints.
    package static func run(
        _ members: [MemberShape.Member], on request: JSONObject, in words: ServiceWords
    ) throws(CloudError) {
        var check = MemberCheck(words: words)
        try check.check(members, request)
        if !check.faults.isEmpty { throw check.refusal }
    }

    private init(words: ServiceWords) { self.words = words }

    private var refusal: CloudError {
        func place(_ fault: Fault) -> String { String(decoding: fault.place, as: UTF8.self) }
        if let unreadable = faults.first(where: { $0.isUnreadable }) {
            return words.unreadable("The member at '\(place(unreadable))' is no base64.")
        }
        let told = faults.map { "\($0.shown) at '\(place($0))' failed to satisfy constraint: \($0.constraint)" }
        let count = told.count == 1 ? "1 validation error" : "\(told.count) validation errors"
        return words.invalid("\(count) detected: \(told.joined(separator: "; "))")
    }

    private mutating func check(
        _ members: [MemberShape.Member], _ object: JSONObject
    ) throws(CloudError) {
        for index in members.indices {
            let before = faults.count
            if let value = object[members[index].name], !value.isNull {
                try check(value, members[index].shape)
            } else if members[index].isRequired {
                let name = members[index].name
                if let absence = words.absence { throw absence(name) }
                tell(words.missing, "Member must not be null")
            }
            if faults.count > before { lead(to: before, Self.lowered(members[index].name)) }
        }
    }

    private mutating func check(_ value: JSONValue, _ shape: MemberShape) throws(CloudError) {
        switch shape {
        case .anything: break
        case .text(let lengths, let form, let isSecret):
            guard case .string(let text) = value else { throw wrongType(value, "String") }
            // A character has one to four bytes, so most texts need not be counted.
            let bytes = text.utf8.count
            if bytes > lengths.upperBound || bytes / 4 < lengths.lowerBound {
                tell("length", text.unicodeScalars.count, lengths.lowerBound, lengths.upperBound) {
                    Self.shown(text, isSecret)
                }
            }
            guard !form.isAny else { return }
            if !form.admits(text) || (text.isEmpty && lengths.lowerBound > 0 && form.pattern.hasSuffix("+")) {
                tell(
                    Self.shown(text, isSecret), "Member must satisfy regular expression pattern: \(form.pattern)")
            }
        case .choice(let names):
            guard case .string(let text) = value else { throw wrongType(value, "String") }
            if !names.contains(text) {
                let set = names.joined(separator: ", ")
                tell(Self.shown(text), "Member must satisfy enum value set: [\(set)]")
            }
        case .boolean:
            guard case .bool = value else { throw wrongType(value, "Boolean") }
        case .integer(let range):
            guard case .integer(let number) = value else { throw wrongType(value, "Integer") }
            tell("value", number, range.lowerBound, range.upperBound) { Self.shown("\(number)") }
        case .number:
            guard value.number?.isFinite == true else { throw wrongType(value, "Double") }
        case .bytes(let lengths):
            guard case .string(let text) = value else { throw wrongType(value, "Blob") }
            guard let bytes = Base64.bytes(of: text.utf8, .standard) else {
                if faults.count < CloudLimits.faultsMax {
                    faults.append(Fault(shown: "", constraint: "", isUnreadable: true))
                }
                return
            }
            tell("length", bytes.count, lengths.lowerBound, lengths.upperBound)
        case .list(let element, let min, let max):
            guard case .array(let elements) = value else { throw wrongType(value, "List") }
            guard tell("length", elements.count, min, max) else { return }
            for index in elements.indices {
                let before = faults.count
                try check(elements[index], element)
                if faults.count > before { lead(to: before, "\(index + 1)", within: element) }
            }
        case .texts(let keyMax, let valueMax):
            guard case .object(let object) = value else { throw wrongType(value, "Map") }
            guard tell("length", object.count, 0, CloudLimits.mapMembersMax) else { return }
            for member in object {
                guard case .string(let text) = member.value else { throw wrongType(member.value, "String") }
                guard member.key.unicodeScalars.count <= keyMax, text.unicodeScalars.count <= valueMax else {
                    tell("Value", Self.longValue(valueMax))
                    return
                }
            }
        case .map(let element, let keyMax, let max):
            guard case .object(let object) = value else { throw wrongType(value, "Map") }
            guard tell("length", object.count, 0, max) else { return }
            for member in object {
                guard member.key.unicodeScalars.count <= keyMax else {
                    tell("Value", Self.longValue(keyMax))
                    return
                }
                let before = faults.count
                try check(member.value, element)
                if faults.count > before { lead(to: before, member.key, within: element) }
            }
        case .object(let members):
            guard case .object(let object) = value else { throw wrongType(value, "Structure") }
            try check(members, object)
        }
    }

    private static func longValue(_ max: Int) -> String {
        "Map value must satisfy constraint: [Member must have length less than or equal to \(max)]"
    }

    // MARK: Faults

    /// Puts a step before the paths of the faults that were found behind it.
    ///
    /// - Parameter element: the shape of the elements that the step chooses from. A member of one is said to be a member's.
    private mutating func lead(to first: Int, _ step: String, within element: MemberShape? = nil) {
        var start = Array(step.utf8)
        if case .object = element { start += ".member".utf8 }
        for index in faults.indices.dropFirst(first) {
            let rest = faults[index].place
            faults[index].place = rest.isEmpty ? Array(step.utf8) : start + [UInt8(ascii: ".")] + rest
        }
    }

    /// Returns whether a length or a value is within its bounds.
    @discardableResult
    private mutating func tell<Number: BinaryInteger>(
        _ what: String, _ found: Number, _ min: Number, _ max: Number, _ shown: () -> String = { "Value" }
    ) -> Bool {
        if found < min { tell(shown(), "Member must have \(what) greater than or equal to \(min)") }
        if found > max { tell(shown(), "Member must have \(what) less than or equal to \(max)") }
        return found >= min && found <= max
    }

    private static func shown(_ text: String, _ isSecret: Bool = false) -> String {
        isSecret || text.utf8.count > shownBytesMax || text.utf8.contains { $0 < 0x20 } ? "Value" : "Value '\(text)'"
    }

    private mutating func tell(_ shown: String, _ constraint: String) {
        guard faults.count < CloudLimits.faultsMax else { return }
        faults.append(Fault(shown: shown, constraint: constraint))
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
    static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
