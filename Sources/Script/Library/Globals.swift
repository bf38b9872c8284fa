/// What every program finds: the rows of the global object.
enum Globals {
    static let table: [NativeProperty] =
        [
            .fixed("undefined") { _ in .undefined },
            .fixed("NaN") { _ in .number(.nan) },
            .fixed("Infinity") { _ in .number(.infinity) },
            .made("globalThis") { realm in .object(realm.global) },
            .class("Object", .object),
            .class("Function", .function),
            .class("Array", .array),
            .class("String", .string),
            .class("Number", .number),
            .class("Boolean", .boolean),
            .class("Symbol", .symbol),
            .class("RegExp", .regExp),
            .class("Date", .date),
            .class("Error", .error),
            .class("AggregateError", .aggregateError),
            .class("EvalError", .evalError),
            .class("RangeError", .rangeError),
            .class("ReferenceError", .referenceError),
            .class("SyntaxError", .syntaxError),
            .class("TypeError", .typeError),
            .class("URIError", .uriError),
            .class("Promise", .promise),
            .class("URL", .url),
            .class("URLSearchParams", .urlSearchParams),
            .class("Map", .map),
            .class("Set", .set),
            .made("JSON") { realm in JSONLibrary.object(realm) },
            .made("Math") { realm in .object(MathLibrary.object(realm)) },
            .method("structuredClone", length: 1) { call throws(Thrown) in try StructuredClone.call(call) },
            .made("crypto") { realm in CryptoLibrary.object(realm) },
            .made("console") { realm in .object(ConsoleLibrary.object(realm)) },
        ] + TextFunctions.table

    /// Parts of the language or of its usual surroundings that are not here, with what to do instead.
    private static let missing: [String: String] = [
        "Proxy": "Write the object's properties or getters themselves.",
        "Reflect": "Use the functions of Object.",
        "BigInt": "Numbers are exact up to 9007199254740991.",
        "WeakMap": "Use Map.",
        "WeakSet": "Use Set.",
        "WeakRef": "Hold the object itself.",
        "FinalizationRegistry": "Objects end with the program.",
        "eval": "Write the code itself.",
        "setTimeout": "There are no timers: promises settle by themselves.",
        "setInterval": "There are no timers: promises settle by themselves.",
        "setImmediate": "There are no timers: promises settle by themselves.",
        "clearTimeout": "There are no timers: promises settle by themselves.",
        "fetch": "A program has no network.",
        "require": "Use import.",
        "module": "Use export.",
        "exports": "Use export.",
        "__dirname": "Use import.meta.url.",
        "__filename": "Use import.meta.url.",
        "ArrayBuffer": "Use a list of numbers.",
        "Uint8Array": "Use a list of numbers.",
        "Buffer": "Use a list of numbers.",
        "Intl": "There is no Intl.",
    ]

    static func hint(_ name: String) -> String? { missing[name] }
}

/// The global object. Its properties are made when they are first asked for.
final class GlobalObject: ScriptObject {
    init(_ realm: Realm) {
        super.init(realm, prototype: realm.prototype(.object))
        for (number, row) in realm.library.globals.enumerated() {
            put(realm.key(row.key), .number(Double(number)), row.attributes.union(.deferred))
        }
    }

    override func deferredValue(_ key: PropertyKey, _ number: Int) -> Value {
        let table = realm.library.globals
        return table.indices.contains(number) ? realm.value(of: table[number]) : .undefined
    }
}
