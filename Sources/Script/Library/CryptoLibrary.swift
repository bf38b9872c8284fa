/// `crypto`, of which there is what makes names: `randomUUID`.
enum CryptoLibrary {
    static let table: [NativeProperty] = [
        .method("randomUUID", length: 0) { call throws(Thrown) in
            if !call[0].isUndefined, !call[0].isObject {
                throw call.realm.typeError(
                    "The \"options\" argument must be of type object. Received \(call.realm.describe(call[0]))")
            }
            return call.realm.value(uuid { UInt8(truncatingIfNeeded: Int(call.realm.host.random() * 256)) })
        },
        .tag("Crypto"),
    ]

    static func object(_ realm: Realm) -> Value {
        .object(realm.object({ table }, prototype: realm.prototype(.object)))
    }

    /// A UUID of version 4.
    private static func uuid(_ byte: () -> UInt8) -> [UInt16] {
        var text: [UInt16] = []
        for index in 0..<16 {
            var byte = byte()
            if index == 6 { byte = byte & 0x0F | 0x40 }
            if index == 8 { byte = byte & 0x3F | 0x80 }
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(0x2D) }
            for digit in [byte >> 4, byte & 15] { text.append(UInt16(digit < 10 ? 0x30 + digit : 0x57 + digit)) }
        }
        return text
    }
}
