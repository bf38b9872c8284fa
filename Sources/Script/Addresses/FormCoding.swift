/// `application/x-www-form-urlencoded`: names and values as a query has them.
enum FormCoding {
    typealias Pair = (name: [UInt16], value: [UInt16])

    static func read(_ text: [UInt16]) -> [Pair] {
        let bytes = Array(String(decoding: text, as: UTF16.self).utf8)
        return bytes.split(separator: 0x26).map { part in
            let sign = part.firstIndex(of: 0x3D)
            return (units(part[..<(sign ?? part.endIndex)]), sign.map { units(part[($0 + 1)...]) } ?? [])
        }
    }

    private static func units(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
        let spaced = bytes.map { $0 == 0x2B ? 0x20 : $0 }
        return Array(String(decoding: AddressEscapes.decode(spaced), as: UTF8.self).utf16)
    }

    static func write(_ pairs: [Pair]) -> String {
        pairs.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    }

    private static func encode(_ units: [UInt16]) -> String {
        var text = String.UnicodeScalarView()
        for byte in String(decoding: units, as: UTF16.self).utf8 {
            switch byte {
            case 0x20: text.append("+")
            case 0x2A, 0x2D, 0x2E, 0x5F, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: text.append(Unicode.Scalar(byte))
            default: AddressEscapes.append(byte, to: &text)
            }
        }
        return String(text)
    }
}
