/// Opaque values in a text that a function of the library makes: while it runs, each is a mark, and the text is taken apart at its
/// marks when it is done. `['a', bucket.bucketName].join('-')` is the template `a-${bucket.bucketName}` by that.
struct TextMarks {
    /// The functions whose results are put together of the texts that they are given, as they are.
    static let makers: Set<String> = ["concat", "join", "stringify", "String", "toString", "replace", "replaceAll"]

    /// Two characters that no text has: Unicode keeps them for uses such as this.
    private static let start: UInt16 = 0xFDD0
    private static let end: UInt16 = 0xFDD1
    private static let countMax = 1_000

    private var values: [Value] = []
    /// The frame that called the function: what functions of the program do for it is no part of it.
    private let frame: ObjectIdentifier?

    init(_ realm: Realm) { frame = realm.current.map(ObjectIdentifier.init) }

    /// The text that stands for a value; nil: there are too many, or it is none of the function's own.
    mutating func mark(_ object: ScriptObject, _ realm: Realm) -> [UInt16]? {
        guard values.count < Self.countMax, frame == realm.current.map(ObjectIdentifier.init) else { return nil }
        values.append(.object(object))
        return [Self.start] + Array(String(values.count - 1).utf16) + [Self.end]
    }

    /// What a text with marks is: a template of one of its values.
    func value(of text: Text, _ object: OpaqueObject) -> Value? {
        var texts: [String] = []
        var found: [Value] = []
        var origin = "`"
        let units = text.units
        var rest = units.startIndex
        while let first = units[rest...].firstIndex(of: Self.start) {
            guard let last = units[first...].firstIndex(of: Self.end),
                let number = Int(String(decoding: units[units.index(after: first)..<last], as: UTF16.self)),
                values.indices.contains(number)
            else { return nil }
            texts.append(String(decoding: units[rest..<first], as: UTF16.self))
            found.append(values[number])
            rest = units.index(after: last)
            if case .object(let value as OpaqueObject) = values[number] {
                origin += (texts.last ?? "") + "${\(value.origin)}"
            }
        }
        if found.isEmpty { return .text(text) }
        texts.append(String(decoding: units[rest...], as: UTF16.self))
        return object.leading(to: origin + (texts.last ?? "") + "`", by: .template(texts, found))
    }
}

extension Realm {
    /// The mark of an opaque value in a text that is being made; an error where none is.
    func mark(_ object: ScriptObject, _ use: String) throws(Thrown) -> Text {
        guard let units = marks?.mark(object, self) else { throw opaqueUse(object, use) }
        return text(units)
    }
}
