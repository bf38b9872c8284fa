import Crypto
import JSON

/// The functions that expressions call: `States.Format(...)`.
enum FlowFunction: String, Sendable, CaseIterable {
    case format = "Format"
    case stringToJSON = "StringToJson"
    case jsonToString = "JsonToString"
    case array = "Array"
    case arrayPartition = "ArrayPartition"
    case arrayContains = "ArrayContains"
    case arrayRange = "ArrayRange"
    case arrayGetItem = "ArrayGetItem"
    case arrayLength = "ArrayLength"
    case arrayUnique = "ArrayUnique"
    case encode = "Base64Encode"
    case decode = "Base64Decode"
    case hash = "Hash"
    case merge = "JsonMerge"
    case random = "MathRandom"
    case add = "MathAdd"
    case split = "StringSplit"
    case identifier = "UUID"

    /// Longer names first: one may be the beginning of another.
    static let byLength = allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }

    var argumentCounts: ClosedRange<Int> {
        switch self {
        case .format: 1...WorkflowLimits.pathStepsMax
        case .array: 0...WorkflowLimits.pathStepsMax
        case .stringToJSON, .jsonToString, .arrayLength, .arrayUnique, .encode, .decode: 1...1
        case .arrayPartition, .arrayContains, .arrayGetItem, .hash, .add, .split: 2...2
        case .arrayRange, .merge: 3...3
        case .random: 2...3
        case .identifier: 0...0
        }
    }

    func value(_ given: [JSONValue], _ chance: FlowChance, _ steps: FlowSteps) throws(FlowFault) -> JSONValue {
        // Each looks at all that it is given, and gives no more than a few times as much.
        try steps.spend(callSteps)
        for value in given { try steps.spend(stepsFactor * FlowSteps.weight(of: value)) }
        let arguments = FlowArguments(function: self, values: given)
        switch self {
        case .format: return .string(try format(arguments))
        case .stringToJSON:
            let text = try arguments.text(0)
            guard text.utf8.contains(where: { !Self.blanks.contains($0) }) else { return .null }
            let limits = JSONLimits(
                bytesMax: WorkflowLimits.dataBytesMax, nestingMax: WorkflowLimits.dataNestingMax)
            guard let value = try? JSONReader.value(of: Array(text.utf8), limits: limits) else {
                throw arguments.fault("its argument is no JSON")
            }
            return value
        case .jsonToString:
            return .string(JSONWriter.text(of: try given[0].checked("An argument of States.JsonToString")))
        case .array: return .array(given)
        case .arrayPartition:
            let (list, size) = (try arguments.list(0), try arguments.whole(1))
            guard size > 0 else { throw arguments.fault("a chunk has one element at least") }
            let step = Int(clamping: size)
            return .array(
                stride(from: 0, to: list.count, by: step).map { start in
                    .array(Array(list[start...].prefix(step)))
                })
        case .arrayContains: return .bool(try arguments.list(0).contains { Self.isSame($0, given[1]) })
        case .arrayRange: return try range(arguments)
        case .arrayGetItem:
            let (list, place) = (try arguments.list(0), try arguments.whole(1))
            guard let place = Int(exactly: place), list.indices.contains(place) else {
                throw arguments.fault("there is no element \(place)")
            }
            return list[place]
        case .arrayLength: return .integer(Int64(try arguments.list(0).count))
        case .arrayUnique: return .array(try unique(arguments))
        case .encode: return .string(Base64.text(of: Array(try arguments.short(0).utf8), .standard))
        case .decode:
            guard let bytes = Base64.bytes(of: try arguments.short(0).utf8, .standard),
                let text = String(validating: bytes, as: UTF8.self)
            else { throw arguments.fault("its argument is no text in Base64") }
            return .string(text)
        case .hash: return .string(try hash(arguments))
        case .merge:
            guard given[2].bool == false else {
                throw arguments.fault("only the shallow merge is there: its third argument is false")
            }
            var merged = try arguments.object(0)
            for member in try arguments.object(1).members { merged.set(member.key, to: member.value) }
            return .object(merged)
        case .random: return try random(arguments, chance)
        case .add:
            let sum = try arguments.whole(0).addingReportingOverflow(try arguments.whole(1))
            guard !sum.overflow else { throw arguments.fault("the sum is too large") }
            return .integer(sum.partialValue)
        case .split: return .array(try split(arguments))
        case .identifier: return .string(chance.makeID())
        }
    }

    private static let blanks = Array(" \t\r\n".utf8)

    /// What a call costs beside its arguments.
    private var callSteps: Int {
        switch self {
        case .arrayRange: FlowSteps.valueSteps * WorkflowLimits.rangeElementsMax
        case .hash, .random, .identifier: 1_000
        default: 20
        }
    }

    /// How much more than a look at its arguments a function takes.
    private var stepsFactor: Int {
        switch self {
        // Texts are read, written or taken apart letter by letter.
        case .stringToJSON, .jsonToString, .format, .encode, .decode, .hash, .split, .arrayUnique: 8
        default: 2
        }
    }

    static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if let one = left.number, let other = right.number { return one == other }
        return left == right
    }

    // MARK: Functions with more to them

    /// `States.Format('{} of {}', 1, 'x')`
    private func format(_ arguments: FlowArguments) throws(FlowFault) -> String {
        let pattern = Array(try arguments.text(0).utf8)
        var text: [UInt8] = []
        var place = 0
        var argument = 1
        while place < pattern.count {
            let byte = pattern[place]
            let following = place + 1 < pattern.count ? pattern[place + 1] : nil
            if byte == UInt8(ascii: "\\"), following == UInt8(ascii: "{") || following == UInt8(ascii: "}"),
                let following
            {
                text.append(following)
                place += 2
            } else if byte == UInt8(ascii: "{"), following == UInt8(ascii: "}") {
                guard argument < arguments.values.count else {
                    throw arguments.fault("it has more places than arguments")
                }
                let value = arguments.values[argument]
                argument += 1
                _ = try value.checked("An argument of States.Format")
                Self.append(value, to: &text)
                guard text.count <= WorkflowLimits.dataBytesMax else { throw .tooLarge("What States.Format gives") }
                place += 2
            } else {
                text.append(byte)
                place += 1
            }
        }
        guard argument == arguments.values.count else { throw arguments.fault("it has more arguments than places") }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a value as `States.Format` shows it: texts as they are, objects and lists as Java does, `{a=1, b=[x, y]}`.
    private static func append(_ value: JSONValue, to text: inout [UInt8]) {
        switch value {
        case .string(let string): text += string.utf8
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (number, element) in elements.enumerated() {
                if number > 0 { text += ", ".utf8 }
                append(element, to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let object):
            text.append(UInt8(ascii: "{"))
            for (number, member) in object.members.enumerated() {
                if number > 0 { text += ", ".utf8 }
                text += member.key.utf8
                text.append(UInt8(ascii: "="))
                append(member.value, to: &text)
            }
            text.append(UInt8(ascii: "}"))
        default: JSONWriter.write(value, to: &text)
        }
    }

    private func range(_ arguments: FlowArguments) throws(FlowFault) -> JSONValue {
        let (first, last, step) = (try arguments.whole(0), try arguments.whole(1), try arguments.whole(2))
        guard step != 0 else { throw arguments.fault("a step is not 0") }
        var numbers: [JSONValue] = []
        var number = first
        while step > 0 ? number <= last : number >= last {
            guard numbers.count < WorkflowLimits.rangeElementsMax else {
                throw arguments.fault("it gives at most \(WorkflowLimits.rangeElementsMax) elements")
            }
            numbers.append(.integer(number))
            let next = number.addingReportingOverflow(step)
            guard !next.overflow else { break }
            number = next.partialValue
        }
        return .array(numbers)
    }

    private func unique(_ arguments: FlowArguments) throws(FlowFault) -> [JSONValue] {
        var seen: Set<ByteText> = []
        let list = try arguments.list(0)
        _ = try JSONValue.array(list).checked("The argument of States.ArrayUnique")
        // Equal numbers are the same however they are written.
        return list.filter { value in
            seen.add(value.number.map { "\($0)" } ?? JSONWriter.text(of: value))
        }
    }

    private func hash(_ arguments: FlowArguments) throws(FlowFault) -> String {
        let value = arguments.values[0]
        _ = try value.checked("The argument of States.Hash")
        let text = value.string ?? JSONWriter.text(of: value)
        guard text.utf8.count <= WorkflowLimits.codedCharactersMax else { throw arguments.tooLong }
        let bytes = Array(text.utf8)
        let digest: [UInt8]
        switch try arguments.text(1) {
        case "MD5": digest = SpreadingDigest.of(bytes)
        case "SHA-1": digest = FormerDigest.of(bytes)
        case "SHA-256": digest = Digest.sha256.of(bytes)
        case "SHA-384": digest = Digest.sha384.of(bytes)
        case "SHA-512": digest = Digest.sha512.of(bytes)
        default: throw arguments.fault("its algorithms are MD5, SHA-1, SHA-256, SHA-384 and SHA-512")
        }
        return Hexadecimal.text(of: digest)
    }

    /// From the first number up to, not with, the second. The same seed gives the same number.
    private func random(_ arguments: FlowArguments, _ chance: FlowChance) throws(FlowFault) -> JSONValue {
        let (first, end) = (try arguments.whole(0), try arguments.whole(1))
        let distance = end.subtractingReportingOverflow(first)
        guard first < end, !distance.overflow else { throw arguments.fault("its second number is larger") }
        var fraction = chance.fraction()
        if arguments.values.count == 3 {
            let seed = Digest.sha256.of(Array("\(try arguments.whole(2))".utf8))
            fraction = Double(seed.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) / Double(UInt64(1) << 48)
        }
        let step = min(Int64(Double(distance.partialValue) * fraction), distance.partialValue - 1)
        return .integer(first + max(step, 0))
    }

    /// At each of the letters of the second text; empty parts are left out.
    private func split(_ arguments: FlowArguments) throws(FlowFault) -> [JSONValue] {
        let (text, letters) = (try arguments.text(0), try arguments.text(1))
        let separators = Set(letters.unicodeScalars)
        return text.unicodeScalars.split { separators.contains($0) }.map { .string(String($0)) }
    }
}

/// What a function is given, by kinds.
struct FlowArguments {
    let function: FlowFunction
    let values: [JSONValue]

    func fault(_ reason: String) -> FlowFault {
        .intrinsic("States.\(function.rawValue) is given what it cannot take: \(reason).")
    }

    var tooLong: FlowFault {
        fault("it takes at most \(WorkflowLimits.codedCharactersMax) characters")
    }

    private func mismatch(_ number: Int, _ kind: String) -> FlowFault {
        fault(
            "argument \(number + 1) is \(kind), found \(values.indices.contains(number) ? values[number].kind : "none")"
        )
    }

    func text(_ number: Int) throws(FlowFault) -> String {
        guard values.indices.contains(number), let text = values[number].string else {
            throw mismatch(number, "a text")
        }
        return text
    }

    func short(_ number: Int) throws(FlowFault) -> String {
        let text = try text(number)
        guard text.utf8.count <= WorkflowLimits.codedCharactersMax else { throw tooLong }
        return text
    }

    /// A number is rounded as the service does: a half goes up, -0.5 to 0 as well.
    func whole(_ number: Int) throws(FlowFault) -> Int64 {
        guard values.indices.contains(number), let value = values[number].number,
            let below = Int64(exactly: value.rounded(.down))
        else { throw mismatch(number, "a number") }
        // What has a fraction is far from the ends of its range.
        return values[number].integer ?? (value - value.rounded(.down) >= 0.5 ? below + 1 : below)
    }

    func list(_ number: Int) throws(FlowFault) -> [JSONValue] {
        guard values.indices.contains(number), let list = values[number].array else {
            throw mismatch(number, "a list")
        }
        return list
    }

    func object(_ number: Int) throws(FlowFault) -> JSONObject {
        guard values.indices.contains(number), let object = values[number].object else {
            throw mismatch(number, "an object")
        }
        return object
    }
}
