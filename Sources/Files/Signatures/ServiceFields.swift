import Access
import JSON
import Network

/// The fields of a head that say what S3 is to do: those whose names begin with `x-amz-`.
enum ServiceFields {
    /// The names of those that came, each once, as bytes; throws where one that has to stand alone does not.
    static func names(of fields: HTTPFields) throws(FileError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        var repeated: [UInt8]?
        var seen: [Bool] = [false, false]
        fields.forEach { name, _ in
            if let single = singles.firstIndex(where: { name.elementsEqual($0) }) {
                if seen[single] { repeated = Array(name) }
                seen[single] = true
            } else if name.starts(with: prefix) {
                names.append(Array(name))
            }
        }
        // Hot path: most requests have two of them, in order.
        if names.count > 2 || (names.count == 2 && !names[0].lexicographicallyPrecedes(names[1])) {
            names.sort { $0.lexicographicallyPrecedes($1) }
        }
        var distinct: [[UInt8]] = []
        for name in names {
            guard name == distinct.last else {
                distinct.append(name)
                continue
            }
            if !mayRepeat(name) { repeated = name }
        }
        if let repeated {
            let name = String(decoding: repeated, as: UTF8.self)
            throw .invalidRequest("The request has more than one '\(name)' header.")
        }
        return distinct
    }

    private static let prefix = Array("x-amz-".utf8)
    /// Other fields that stand alone.
    private static let singles = [Array("authorization".utf8), Array("host".utf8)]

    /// Metadata of one name are one list, and so are the attributes that are asked for.
    private static func mayRepeat(_ name: [UInt8]) -> Bool {
        name.starts(with: "x-amz-meta-".utf8) || name.elementsEqual("x-amz-object-attributes".utf8)
            || name.elementsEqual("x-amz-optional-object-attributes".utf8)
    }

    /// What most requests have less than.
    private static let linesBytes = 512

    /// The fields as they are signed, and their names: all that stands between the query and the body's digest.
    static func lines(_ header: SignatureHeader, _ fields: HTTPFields, host: String) throws(FileError) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(linesBytes)
        try header.forEachSignedField { name throws(FileError) in
            text.append(contentsOf: name)
            text.append(UInt8(ascii: ":"))
            if name.elementsEqual("host".utf8) {
                text += host.utf8
            } else {
                var count = 0
                fields.forEachValue(of: name) { value in
                    if count > 0 { text.append(UInt8(ascii: ",")) }
                    append(value, to: &text)
                    count += 1
                }
                guard count > 0 else {
                    let name = String(decoding: name, as: UTF8.self)
                    throw .signatureDoesNotMatch.because("'\(name)' is signed, and the request has no such header")
                }
            }
            text.append(UInt8(ascii: "\n"))
        }
        text.append(UInt8(ascii: "\n"))
        header.appendSignedFields(to: &text)
        return text
    }

    /// A value with one blank wherever it has several, which it has at neither end. What is no UTF-8 is Latin-1: browsers send
    /// that, and sign the text as UTF-8.
    private static func append(_ value: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        if value.allSatisfy({ $0 < 0x80 }) {
            appendCollapsed(value, to: &text)
        } else {
            appendCollapsed(HTTPFields.text(ofValue: value).utf8, to: &text)
        }
    }

    private static func appendCollapsed(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
        var isBlank = false
        for byte in bytes {
            guard byte == UInt8(ascii: " ") else {
                isBlank = false
                text.append(byte)
                continue
            }
            if !isBlank { text.append(byte) }
            isBlank = true
        }
    }
}
