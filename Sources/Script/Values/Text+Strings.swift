/// Between Swift's strings and the units of texts. Most are ASCII, and these ways of the hot path look at each byte once.
enum TextUnits {
    static func units(of string: String) -> [UInt16] {
        var string = string
        let ascii: [UInt16]? = string.withUTF8 { bytes in
            var isASCII = true
            let units = [UInt16](unsafeUninitializedCapacity: bytes.count) { buffer, count in
                for index in 0..<bytes.count {
                    let byte = bytes[index]
                    if byte >= 0x80 {
                        isASCII = false
                        break
                    }
                    buffer.initializeElement(at: index, to: UInt16(byte))
                }
                count = isASCII ? bytes.count : 0
            }
            return isASCII ? units : nil
        }
        return ascii ?? Array(string.utf16)
    }

    static func string(of units: [UInt16]) -> String {
        var isASCII = true
        let string = String(unsafeUninitializedCapacity: units.count) { buffer in
            for index in 0..<units.count {
                let unit = units[index]
                if unit >= 0x80 {
                    isASCII = false
                    return 0
                }
                buffer.initializeElement(at: index, to: UInt8(truncatingIfNeeded: unit))
            }
            return units.count
        }
        return isASCII ? string : String(decoding: units, as: UTF16.self)
    }
}
