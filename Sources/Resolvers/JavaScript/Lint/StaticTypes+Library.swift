import JSON

/// What a method of the library gives.
enum LibraryResult: Sendable {
    case string, number, boolean, strings, list, lists

    var type: StaticType {
        switch self {
        case .string: .string
        case .number: .number
        case .boolean: .boolean
        case .strings: .array(.string)
        case .list: .array(.unknown)
        case .lists: .array(.array(.unknown))
        }
    }
}

/// What a checker knows of the language's own library.
extension StaticTypes {
    /// Globals that have methods, by the names of their types.
    static let globals: [ByteText: String] = [
        "Object": "ObjectConstructor", "Array": "ArrayConstructor", "String": "StringConstructor",
        "Number": "NumberConstructor", "Date": "DateConstructor", "Math": "Math", "JSON": "JSON",
        "Promise": "PromiseConstructor", "Symbol": "SymbolConstructor",
    ]

    /// Functions that are declared as such.
    static let globalFunctions: Set<ByteText> = [
        "parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent", "decodeURIComponent", "encodeURI",
        "decodeURI",
        "escape", "unescape", "eval",
    ]

    /// Methods of the types that are asked about.
    static func methods(of interface: String) -> Set<ByteText> { interfaces[interface] ?? [] }

    private static func words(_ text: String) -> Set<ByteText> { Set(texts: text.words) }

    private static let interfaces: [ByteText: Set<ByteText>] = [
        "Array": words(
            """
            at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach \
            includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice \
            toLocaleString toString unshift values
            """),
        "String": words(
            """
            at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match matchAll \
            normalize padEnd padStart repeat replace replaceAll search slice split startsWith substr substring \
            toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase trim trimEnd trimStart valueOf
            """),
        "Number": words("toExponential toFixed toLocaleString toPrecision toString valueOf"),
        "Boolean": words("valueOf"),
        "ObjectConstructor": words(
            """
            assign create defineProperties defineProperty entries freeze fromEntries getOwnPropertyDescriptor \
            getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPrototypeOf hasOwn is isExtensible \
            isFrozen isSealed keys preventExtensions seal setPrototypeOf values
            """),
        "ArrayConstructor": words("from isArray of"),
        "StringConstructor": words("fromCharCode fromCodePoint raw"),
        "NumberConstructor": words("isFinite isInteger isNaN isSafeInteger parseFloat parseInt"),
        "DateConstructor": words("UTC now parse"),
        "PromiseConstructor": words("all allSettled any race reject resolve"),
        "Math": words(
            """
            abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul log \
            log10 log1p log2 max min pow random round sign sin sinh sqrt tan tanh trunc
            """),
        "JSON": words("parse stringify"),
        "Date": words(
            """
            getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime \
            getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes \
            getUTCMonth getUTCSeconds setDate setFullYear setHours setMilliseconds setMinutes setMonth setSeconds \
            setTime setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds \
            toDateString toISOString toJSON toLocaleDateString toLocaleString toLocaleTimeString toString \
            toTimeString toUTCString valueOf
            """),
    ]

    /// What AppSync's runtime does not have of them.
    static let denied: [ByteText: Set<ByteText>] = [
        "Array": words("copyWithin entries keys toLocaleString toString values"),
        "ObjectConstructor": words(
            """
            create defineProperties defineProperty freeze getOwnPropertyDescriptor getOwnPropertyDescriptors \
            getOwnPropertyNames getOwnPropertySymbols getPrototypeOf is isExtensible isFrozen isSealed preventExtensions \
            seal setPrototypeOf
            """),
        "String": words(
            """
            charCodeAt localeCompare matchAll padEnd padStart repeat search toLocaleLowerCase toLocaleUpperCase valueOf
            """),
        "Date": words(
            """
            setDate setFullYear setHours setMilliseconds setMinutes setMonth setSeconds setTime setUTCDate \
            setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds toLocaleDateString \
            toLocaleString toLocaleTimeString
            """),
    ]

    static let stringMethods: [ByteText: LibraryResult] = {
        var types: [ByteText: LibraryResult] = ["split": .strings]
        for name in [
            "at", "charAt", "concat", "normalize", "padEnd", "padStart", "repeat", "replace", "replaceAll", "slice",
            "substr", "substring", "toLocaleLowerCase", "toLocaleUpperCase", "toLowerCase", "toString", "toUpperCase",
            "trim", "trimEnd", "trimStart", "valueOf",
        ] { types[name] = .string }
        for name in ["charCodeAt", "codePointAt", "indexOf", "lastIndexOf", "localeCompare", "search"] {
            types[name] = .number
        }
        for name in ["endsWith", "includes", "startsWith"] { types[name] = .boolean }
        return types
    }()

    static let libraryMethods: [ByteText: LibraryResult] = {
        var types: [ByteText: LibraryResult] = [
            "ObjectConstructor.keys": .strings, "ObjectConstructor.getOwnPropertyNames": .strings,
            "ObjectConstructor.values": .list, "ObjectConstructor.entries": .lists,
            "ObjectConstructor.hasOwn": .boolean, "ObjectConstructor.is": .boolean,
            "ArrayConstructor.from": .list, "ArrayConstructor.of": .list,
            "ArrayConstructor.isArray": .boolean, "StringConstructor.fromCharCode": .string,
            "StringConstructor.fromCodePoint": .string, "StringConstructor.raw": .string, "JSON.stringify": .string,
            "NumberConstructor.parseInt": .number, "NumberConstructor.parseFloat": .number,
            "DateConstructor.now": .number,
            "DateConstructor.parse": .number, "DateConstructor.UTC": .number,
        ]
        for name in ["isFinite", "isInteger", "isNaN", "isSafeInteger"] {
            types["NumberConstructor." + name] = .boolean
        }
        for name in methods(of: "Math") { types["Math." + name.string] = .number }
        return types
    }()
}
