/// The functions of the global object that read numbers and URIs.
enum TextFunctions {
    static let table: [NativeProperty] = [
        .method("isFinite", length: 1) { call throws(Thrown) in .boolean(try call.number(0).isFinite) },
        .method("isNaN", length: 1) { call throws(Thrown) in .boolean(try call.number(0).isNaN) },
        .method("parseFloat", length: 1) { call throws(Thrown) in
            let text = try call.text(0)
            try call.realm.spend(text.count >> 5)
            return .number(NumberReading.parseFloat(text.units))
        },
        .method("parseInt", length: 2) { call throws(Thrown) in
            let text = try call.text(0)
            try call.realm.spend(text.count >> 5)
            return .number(NumberReading.parseInt(text.units, radix: try call.realm.toInt32(call[1])))
        },
        uri("decodeURI", URICoding.decodeURI),
        uri("decodeURIComponent", URICoding.decodeURIComponent),
        uri("encodeURI", URICoding.encodeURI),
        uri("encodeURIComponent", URICoding.encodeURIComponent),
        .method("escape", length: 1) { call throws(Thrown) in
            let text = try call.text(0)
            try call.realm.checkText(length: text.count * 6)
            try call.realm.spend(text.count >> 2)
            return call.realm.value(URICoding.escape(text.units))
        },
        .method("unescape", length: 1) { call throws(Thrown) in
            let text = try call.text(0)
            try call.realm.spend(text.count >> 2)
            return call.realm.value(URICoding.unescape(text.units))
        },
    ]

    private static func uri(_ name: String, _ function: @escaping @Sendable ([UInt16]) -> [UInt16]?) -> NativeProperty {
        .method(name, length: 1) { call throws(Thrown) in
            let text = try call.text(0)
            try call.realm.spend(text.count >> 2)
            guard let result = function(text.units) else { throw call.realm.error(.uriError, "URI malformed") }
            try call.realm.checkText(length: result.count)
            return call.realm.value(result)
        }
    }
}
