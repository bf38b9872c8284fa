import Crypto
import JSON

/// A request in the one form in which Signature Version 4 signs it.
struct CanonicalRequest {
    let text: String

    /// - Parameter values: of a signed field, all its values in their order.
    init(
        method: String, path: String, query: String, signedFields: [String], values: (String) -> [String],
        bodyDigest: String
    ) {
        var lines = [method, path, query]
        for name in signedFields {
            lines.append("\(name):\(values(name).map(Self.collapsed).joined(separator: ","))")
        }
        lines += ["", signedFields.joined(separator: ";"), bodyDigest]
        text = lines.joined(separator: "\n")
    }

    /// A value without blanks around it, and with one blank wherever it has several.
    static func collapsed(_ value: String) -> String {
        var bytes: [UInt8] = []
        for byte in value.trimmingBlanks.utf8 where byte != UInt8(ascii: " ") || bytes.last != UInt8(ascii: " ") {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A path as it is signed: without empty and relative steps, and with everything else encoded once more. Only S3
    /// signs paths as they are.
    static func path(_ path: String) -> String {
        var steps: [String] = []
        for step in path.parts(separatedBy: "/") where !step.isEmpty {
            switch step {
            case ".": continue
            case "..": _ = steps.popLast()
            default: steps.append(step)
            }
        }
        let last = path.utf8.last
        let isFolder = last == UInt8(ascii: "/") || path.hasSuffix("/.") || path.hasSuffix("/..")
        let joined = "/" + steps.map { encoded($0.utf8) }.joined(separator: "/")
        return isFolder && !steps.isEmpty ? joined + "/" : joined
    }

    /// A query as it is signed: each name and value encoded once, sorted.
    static func query(_ query: String) -> String {
        var parameters: [(name: String, value: String)] = []
        for parameter in query.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let parts = pair.map { encoded(decoded($0)) }
            parameters.append((parts.first ?? "", parts.count == 2 ? parts[1] : ""))
        }
        parameters.sort { left, right in
            left.name == right.name ? left.value < right.value : left.name < right.name
        }
        return parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                text.append(byte)
            default:
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func decoded(_ bytes: Substring.UTF8View) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard byte == UInt8(ascii: "%"), rest.count >= 2, digits.count == 2 else {
                decoded.append(byte)
                continue
            }
            decoded.append(UInt8(digits[0] * 16 + digits[1]))
            rest = rest.dropFirst(2)
        }
        return decoded
    }
}
