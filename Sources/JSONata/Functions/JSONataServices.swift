import Crypto
import JSON
import Script

/// What Step Functions has beside the library of the reference: `$partition`, `$range`, `$hash`, `$random`, `$uuid` and `$parse`.
/// `$eval` is not there.
enum JSONataServices {
    static let all: [(ByteText, JSONataFunction)] = [
        (
            "partition",
            JSONataFunction("<an:a>", 2) { evaluation, call throws(JSONataError) in
                guard let list = call.list(0), let size = try call.number(1) else { return .missing }
                guard let count = Int(exactly: size.rounded(.down)), count > 0 else {
                    throw fault("partition", "its second argument is a whole number from 1 on")
                }
                try evaluation.allocate(values: list.count &* 2)
                var parts: [Value] = []
                var start = 0
                while start < list.count {
                    let end = list.count - start > count ? start + count : list.count
                    parts.append(.list(List(Array(list.items[start..<end]))))
                    start = end
                }
                return .list(List(parts))
            }
        ),
        (
            "range",
            JSONataFunction("<nnn:a>", 3) { evaluation, call throws(JSONataError) in
                guard let first = try call.number(0), let last = try call.number(1), let step = try call.number(2)
                else {
                    return .missing
                }
                guard first.isFinite, last.isFinite, step.isFinite, step != 0 else {
                    throw fault("range", "its arguments are numbers, of which the third is not 0")
                }
                let count = ((last - first) / step).rounded(.down) + 1
                guard count >= 1 else { return .list(List([])) }
                guard count <= Double(JSONataLimits.rangeMax) else {
                    throw JSONataError("D2014", value: NumberText.decimal(count))
                }
                try evaluation.allocate(values: Int(count))
                var made = List.flat((0..<Int(count)).map { .number(first + Double($0) * step) })
                // One number alone is that number.
                made.isSequence = true
                return .list(made)
            }
        ),
        (
            "hash",
            JSONataFunction("<xs:s>", 2) { evaluation, call throws(JSONataError) in
                if call[0].isMissing { return .missing }
                let bytes = Array(try evaluation.text(of: call[0]).utf8)
                try evaluation.spend(bytes.count)
                let digest: [UInt8]
                switch try call.text(1) {
                case "MD5": digest = SpreadingDigest.of(bytes)
                case "SHA-1": digest = FormerDigest.of(bytes)
                case "SHA-256": digest = Digest.sha256.of(bytes)
                case "SHA-384": digest = Digest.sha384.of(bytes)
                case "SHA-512": digest = Digest.sha512.of(bytes)
                default: throw fault("hash", "its algorithms are MD5, SHA-1, SHA-256, SHA-384 and SHA-512")
                }
                return try evaluation.made(Hexadecimal.text(of: digest))
            }
        ),
        (
            "random",
            JSONataFunction("<n?:n>", 1) { evaluation, call throws(JSONataError) in
                guard let seed = try call.number(0) else { return .number(evaluation.surroundings.fraction()) }
                // The same seed gives the same number.
                var state = seed.bitPattern &+ 0x9E37_79B9_7F4A_7C15
                state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
                state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
                state ^= state >> 31
                return .number(Double(state >> 11) * 0x1p-53)
            }
        ),
        (
            "uuid",
            JSONataFunction("<:s>", 0) { evaluation, _ throws(JSONataError) in
                try evaluation.made(evaluation.surroundings.makeID())
            }
        ),
        (
            "parse",
            JSONataFunction("<s-:x>", 1) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                try evaluation.allocate(text.utf8.count &* 8)
                let limits = JSONLimits(
                    bytesMax: JSONataLimits.madeTextBytesMax, nestingMax: JSONataLimits.valueNestingMax)
                do throws(JSONError) {
                    return Value(try JSONReader.value(of: text, limits: limits))
                } catch {
                    throw fault("parse", "it is no JSON: \(error)")
                }
            }
        ),
        (
            "now",
            JSONataFunction("<s?s?:s>", 2) { evaluation, call throws(JSONataError) in
                try JSONataTimes.text(
                    evaluation, evaluation.surroundings.milliseconds, try call.text(0), try call.text(1))
            }
        ),
        ("millis", JSONataFunction("<:n>", 0) { evaluation, _ in .number(evaluation.surroundings.milliseconds) }),
    ]

    private static func fault(_ name: String, _ reason: String) -> JSONataError {
        JSONataError("D3150", token: name, value: reason)
    }
}
