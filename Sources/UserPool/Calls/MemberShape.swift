import JSON

/// What a member of a request may be, as the service's model says. Everything is checked before anything reads it.
indirect enum MemberShape: Sendable {
    /// A text of so many characters. A secret one is not shown in the message that refuses it.
    case text(ClosedRange<Int>, TextForm = .any, isSecret: Bool = false)
    case choice([String])
    case boolean
    case integer(ClosedRange<Int64>)
    case list(MemberShape, max: Int)
    /// Texts by name.
    case texts(keyMax: Int, valueMax: Int)
    case object([Member])
    /// Any JSON, such as what an authenticator made.
    case anything

    /// A member of a request, or of an object in it.
    struct Member: Sendable {
        let name: String
        let shape: MemberShape
        let isRequired: Bool

        init(_ name: String, _ shape: MemberShape, isRequired: Bool = false) {
            self.name = name
            self.shape = shape
            self.isRequired = isRequired
        }
    }

    /// Which characters a text is of.
    enum TextForm: Sendable {
        case any
        /// Letters, marks, symbols, digits, punctuation: no blanks, no control or format characters.
        case name
        /// No blanks.
        case solid
        case token
        case digits
        /// Letters, digits and a few signs, as identifiers have them.
        case identifier
        case clientID
        /// As identity pools and identities are called.
        case identity
        /// The name of a resource, such as a role.
        case arn
        case deviceKey
        /// As hashes are written.
        case base64

        /// As the service writes it.
        var pattern: String {
            switch self {
            case .any: #"[\s\S]*"#
            case .name: #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#
            case .solid: #"[\S]+"#
            case .token: #"[A-Za-z0-9-_=.]+"#
            case .digits: "[0-9]+"
            case .identifier: #"[\w-]+_[0-9a-zA-Z]+"#
            case .clientID: #"[\w+]+"#
            case .identity: #"[\w-]+:[0-9a-f-]+"#
            case .arn:
                #"arn:[\w+=/,.@-]+:[\w+=/,.@-]+:([\w+=/,.@-]*)?:[0-9]+:[\w+=/,.@-]+(:[\w+=/,.@-]+)?(:[\w+=/,.@-]+)?"#
            case .deviceKey: #"[\w-]+_[0-9a-f-]+"#
            case .base64: #"[\w+=/]+"#
            }
        }

        func admits(_ text: String) -> Bool {
            switch self {
            case .any: true
            case .name: text.unicodeScalars.allSatisfy(Self.isNameCharacter)
            case .solid: !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 0x20 }
            case .token:
                text.utf8.allSatisfy { Self.isAlphanumeric($0) || [0x2D, 0x5F, 0x3D, 0x2E].contains($0) }
            case .digits: text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            case .identifier: Self.isPrefixed(text) { Self.isAlphanumeric($0) }
            case .deviceKey: Self.isPrefixed(text) { Self.isHexadecimal($0) || $0 == 0x2D }
            case .base64: text.utf8.allSatisfy { Self.isWord($0) || [0x2B, 0x3D, 0x2F].contains($0) }
            case .identity: Self.isIdentity(text)
            case .clientID: text.utf8.allSatisfy { Self.isAlphanumeric($0) || $0 == 0x2B || $0 == 0x5F }
            case .arn: Self.isARN(text)
            }
        }

        private static func isAlphanumeric(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }

        private static func isWord(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == 0x5F }

        private static func isHexadecimal(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
        }

        /// Returns whether a text is a region, an underscore and something behind it.
        private static func isPrefixed(_ text: String, _ isOfRest: (UInt8) -> Bool) -> Bool {
            guard let underscore = text.utf8.lastIndex(of: 0x5F) else { return false }
            let (prefix, rest) = (text.utf8[..<underscore], text.utf8[underscore...].dropFirst())
            return !prefix.isEmpty && !rest.isEmpty && prefix.allSatisfy { isWord($0) || $0 == 0x2D }
                && rest.allSatisfy(isOfRest)
        }

        private static func isIdentity(_ text: String) -> Bool {
            let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
                && parts[0].allSatisfy { isWord($0) || $0 == 0x2D }
                && parts[1].allSatisfy { isHexadecimal($0) || $0 == 0x2D }
        }

        private static func isARN(_ text: String) -> Bool {
            let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard (6...8).contains(parts.count), parts[0].elementsEqual("arn".utf8) else { return false }
            return parts.enumerated().dropFirst().allSatisfy { index, part in
                // The region may be left out; the account is a number.
                (index == 3 || !part.isEmpty)
                    && part.allSatisfy { byte in
                        index == 4
                            ? (0x30...0x39).contains(byte) : isAlphanumeric(byte) || "_+=/,.@-".utf8.contains(byte)
                    }
            }
        }

        private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
                .spacingMark, .enclosingMark, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol,
                .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation,
                .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
                true
            default: false
            }
        }
    }
}

/// Checks a request's members against their shapes, and words what is wrong as the service does.
struct MemberCheck {
    private var faults: [String] = []
    /// More are not told.
    private static let faultsMax = 10
    private static let shownBytesMax = 256

    /// Throws where a member has the wrong type, or some break their constraints.
    static func run(_ members: [MemberShape.Member], on request: JSONObject) throws(PoolError) {
        var check = MemberCheck()
        try check.check(members, request, at: "")
        guard let first = check.faults.first else { return }
        let others = check.faults.dropFirst().map { "; \($0)" }.joined()
        let count = check.faults.count == 1 ? "1 validation error" : "\(check.faults.count) validation errors"
        throw .invalidParameter("\(count) detected: \(first)\(others)")
    }

    private mutating func check(
        _ members: [MemberShape.Member], _ object: JSONObject, at path: String
    ) throws(PoolError) {
        for member in members {
            let place = path.isEmpty ? Self.lowered(member.name) : "\(path).member.\(Self.lowered(member.name))"
            guard let value = object[member.name], !value.isNull else {
                if member.isRequired {
                    tell("Value at '\(place)' failed to satisfy constraint: Member must not be null")
                }
                continue
            }
            try check(value, member.shape, at: place)
        }
    }

    private mutating func check(_ value: JSONValue, _ shape: MemberShape, at place: String) throws(PoolError) {
        switch shape {
        case .anything: break
        case .text(let lengths, let form, let isSecret):
            guard case .string(let text) = value else { throw Self.wrongType(value, "String") }
            let count = text.unicodeScalars.count
            if count < lengths.lowerBound {
                tell(text, isSecret, place, "Member must have length greater than or equal to \(lengths.lowerBound)")
            } else if count > lengths.upperBound {
                tell(text, isSecret, place, "Member must have length less than or equal to \(lengths.upperBound)")
            }
            if !form.admits(text) || (text.isEmpty && lengths.lowerBound > 0 && form.pattern.hasSuffix("+")) {
                tell(text, isSecret, place, "Member must satisfy regular expression pattern: \(form.pattern)")
            }
        case .choice(let names):
            guard case .string(let text) = value else { throw Self.wrongType(value, "String") }
            if !names.contains(text) {
                tell(text, false, place, "Member must satisfy enum value set: [\(names.joined(separator: ", "))]")
            }
        case .boolean:
            guard case .bool = value else { throw Self.wrongType(value, "Boolean") }
        case .integer(let range):
            guard case .integer(let number) = value else { throw Self.wrongType(value, "Integer") }
            if number < range.lowerBound {
                tell("\(number)", false, place, "Member must have value greater than or equal to \(range.lowerBound)")
            } else if number > range.upperBound {
                tell("\(number)", false, place, "Member must have value less than or equal to \(range.upperBound)")
            }
        case .list(let element, let max):
            guard case .array(let elements) = value else { throw Self.wrongType(value, "List") }
            guard elements.count <= max else {
                tell(
                    "Value at '\(place)' failed to satisfy constraint: Member must have length less than or equal to \(max)"
                )
                return
            }
            for (index, value) in elements.enumerated() { try check(value, element, at: "\(place).\(index + 1)") }
        case .texts(let keyMax, let valueMax):
            guard case .object(let object) = value else { throw Self.wrongType(value, "Map") }
            guard object.count <= PoolLimits.mapMembersMax else {
                tell(
                    "Value at '\(place)' failed to satisfy constraint: Member must have length less than or equal to "
                        + "\(PoolLimits.mapMembersMax)")
                return
            }
            for member in object {
                guard case .string(let text) = member.value else { throw Self.wrongType(member.value, "String") }
                guard member.key.unicodeScalars.count <= keyMax, text.unicodeScalars.count <= valueMax else {
                    tell(
                        "Value at '\(place)' failed to satisfy constraint: Map value must satisfy constraint: [Member must "
                            + "have length less than or equal to \(valueMax)]")
                    return
                }
            }
        case .object(let members):
            guard case .object(let object) = value else { throw Self.wrongType(value, "Structure") }
            try check(members, object, at: place)
        }
    }

    private mutating func tell(_ text: String, _ isSecret: Bool, _ place: String, _ constraint: String) {
        let shown =
            isSecret || text.utf8.count > Self.shownBytesMax || text.utf8.contains { $0 < 0x20 }
            ? "Value" : "Value '\(text)'"
        tell("\(shown) at '\(place)' failed to satisfy constraint: \(constraint)")
    }

    private mutating func tell(_ fault: String) {
        if faults.count < Self.faultsMax { faults.append(fault) }
    }

    private static func wrongType(_ value: JSONValue, _ wanted: String) -> PoolError {
        let found =
            switch value {
            case .null: "NULL_VALUE"
            case .bool(let bool): bool ? "TRUE_VALUE" : "FALSE_VALUE"
            case .integer, .double, .largeInteger: "NUMBER_VALUE"
            case .string: "STRING_VALUE"
            case .array: "START_ARRAY"
            case .object: "START_OBJECT"
            }
        return PoolError("SerializationException", "\(found) can not be converted to a \(wanted)")
    }

    /// The service names members with a small first letter.
    private static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
