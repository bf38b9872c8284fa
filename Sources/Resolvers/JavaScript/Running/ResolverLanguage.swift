import Script

/// What of JavaScript's library a resolver finds: what AppSync's guide lists, and of the others what its lint does not deny.
enum ResolverLanguage {
    static let library = ScriptLibrary(names: names, globals: globals, parts)

    /// The names of all globals.
    static let globalNames = names + globals.map(\.name)

    private static let names = [
        "undefined", "NaN", "Infinity", "Object", "Array", "String", "Number", "Boolean", "Math", "isFinite", "isNaN",
        "parseFloat", "parseInt", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent",
    ]

    private static let globals: [NativeProperty] =
        [
            .made("JSON") { realm in .object(realm.object({ json }, prototype: realm.prototype(.object))) },
            .made("console") { realm in
                .object(realm.object({ ResolverConsole.table }, prototype: realm.prototype(.object)))
            },
        ] + LentLibrary.globals

    /// `JSON.parse` gives an empty text where V8 throws.
    private static let json: [NativeProperty] = [
        .method("parse", length: 1) { call throws(Thrown) in
            try refuseFunction(call, 1)
            _ = try call.text(0)
            do throws(Thrown) {
                return try original(parse, call)
            } catch {
                guard case .value = error else { throw error }
                return .text(call.realm.emptyText)
            }
        },
        .method("stringify", length: 3) { call throws(Thrown) in
            try refuseFunction(call, 1)
            return try original(stringify, call)
        },
    ]

    private static let parse = ScriptLibrary.json("parse")
    private static let stringify = ScriptLibrary.json("stringify")
    private static let sort = ScriptLibrary.method("sort", of: .array)

    private static func original(_ body: NativeFunction.Body?, _ call: NativeCall) throws(Thrown) -> Value {
        guard let body else { return .undefined }
        return try body(call)
    }

    private static let parts: [Intrinsic: ScriptLibrary.Part] = [
        .object: .init(
            statics: ["assign", "entries", "fromEntries", "hasOwn", "keys", "values"],
            ownProperties: [
                // Stands for `toString` and `valueOf`, which programs do not find.
                .method(.toPrimitive, length: 1) { call in
                    call.realm.value(call.this.isCallable ? "[object Function]" : "[object Object]")
                }
            ]),
        .array: .init(
            statics: ["isArray"],
            properties: [
                "at", "concat", "every", "fill", "filter", "find", "findIndex", "findLast", "findLastIndex", "flat",
                "flatMap", "forEach", "includes", "indexOf", "join", "lastIndexOf", "map", "pop", "push", "reduce",
                "reduceRight", "reverse", "shift", "slice", "some", "splice", "unshift",
            ],
            ownProperties: [
                .method(.iterator, length: 0) { call throws(Thrown) in try call.realm.elements(of: call.this) },
                .method(.toPrimitive, length: 1) { call throws(Thrown) in
                    try call.realm.invoke(call.this, "join", [])
                },
                .method("sort", length: 0) { call throws(Thrown) in
                    try refuseFunction(call, 0)
                    return try original(sort, call)
                },
            ]),
        .string: .init(
            statics: ["raw"],
            properties: [
                "at", "charAt", "codePointAt", "concat", "endsWith", "includes", "indexOf", "lastIndexOf", "normalize",
                "slice", "split", "startsWith", "substr", "substring", "toLowerCase", "toString", "toUpperCase", "trim",
                "trimEnd", "trimStart",
            ],
            symbols: [.iterator],
            ownProperties: PatternMethods.table),
        .number: .init(
            statics: [
                "EPSILON", "MAX_SAFE_INTEGER", "MAX_VALUE", "MIN_SAFE_INTEGER", "MIN_VALUE", "NaN",
                "NEGATIVE_INFINITY", "POSITIVE_INFINITY", "isFinite", "isInteger", "isNaN", "isSafeInteger",
                "parseFloat", "parseInt",
            ],
            properties: ["toExponential", "toFixed", "toPrecision", "toString"]),
        .boolean: .init(properties: ["toString"]),
        .arrayIterator: .init(properties: ["next"]),
        .stringIterator: .init(properties: ["next"]),
        .iterator: .init(symbols: [.iterator]),
    ]

    /// AppSync passes functions to the methods of lists alone.
    static func refuseFunction(_ call: NativeCall, _ index: Int) throws(Thrown) {
        if call[index].isCallable { throw call.realm.typeError("Functions can not be passed as an argument") }
    }
}
