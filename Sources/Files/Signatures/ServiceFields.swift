import Access
import JSON
import Network

/// The fields of a head that say what S3 is to do: those whose names begin with `x-amz-`.
enum ServiceFields {
    /// The names of those that came, each once; throws where one that has to stand alone does not.
    static func names(of fields: HTTPFields) throws(FileError) -> [String] {
        var names: Set<ByteText> = []
        var ordered: [String] = []
        var repeated: String?
        fields.forEach { name, _ in
            guard name.starts(with: "x-amz-".utf8) || isSingle(name) else { return }
            let text = String(decoding: name, as: UTF8.self)
            guard names.add(text) else {
                if !mayRepeat(name) { repeated = text }
                return
            }
            if name.starts(with: "x-amz-".utf8) { ordered.append(text) }
        }
        if let repeated { throw .invalidRequest("The request has more than one '\(repeated)' header.") }
        return ordered
    }

    private static func isSingle(_ name: UnsafeRawBufferPointer) -> Bool {
        name.elementsEqual("authorization".utf8) || name.elementsEqual("host".utf8)
    }

    /// Metadata of one name are one list, and so are the attributes that are asked for.
    private static func mayRepeat(_ name: UnsafeRawBufferPointer) -> Bool {
        name.starts(with: "x-amz-meta-".utf8) || name.elementsEqual("x-amz-object-attributes".utf8)
            || name.elementsEqual("x-amz-optional-object-attributes".utf8)
    }

    /// The fields as they are signed, and their names: all that stands between the query and the body's digest.
    static func lines(_ header: SignatureHeader, _ fields: HTTPFields, host: String) throws(FileError) -> [UInt8] {
        var text: [UInt8] = []
        for name in header.signedFields {
            text += Array(name.utf8)
            text.append(UInt8(ascii: ":"))
            if name == "host" {
                text += Array(host.utf8)
            } else {
                var count = 0
                fields.forEachValue(of: name) { value in
                    if count > 0 { text.append(UInt8(ascii: ",")) }
                    append(value, to: &text)
                    count += 1
                }
                guard count > 0 else {
                    throw .signatureDoesNotMatch.because("'\(name)' is signed, and the request has no such header")
                }
            }
            text.append(UInt8(ascii: "\n"))
        }
        text.append(UInt8(ascii: "\n"))
        text += Array(header.signedFields.joined(separator: ";").utf8)
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
