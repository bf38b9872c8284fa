import Blueprint
import GraphQL
import Project
import Script

/// What the program gives to packages, which are not run here.
extension ProgramRun {
    /// Ends the program where a package is given something of it that it could call or change: what the schema is then is not known.
    func refuse(call function: OpaqueObject, _ arguments: [ProgramValue], in realm: Realm) throws(Thrown) {
        guard let module = function.module, !HarmlessPackages.contain(module.address) else { return }
        let position = files.position(realm.callPlace)
        var places: ArgumentPlaces?
        for (number, argument) in arguments.enumerated() {
            guard case .object(let object) = argument else { continue }
            let known = places ?? ArgumentPlaces(function.origin, position, files)
            places = known
            let literal = known.literals.indices.contains(number) ? known.literals[number] : nil
            guard let found = try shared(object, literal, known, depth: 0) else { continue }
            if let error = refusalOfMissing(function) {
                throw .ended(.host(message: error.message, hint: error.hint))
            }
            throw .ended(
                .host(
                    message:
                        "\(function.fullOrigin) is called with \(found) of the program, and the package is not run here: what it does "
                        + "with that is not known",
                    hint: "Write what it does in the project's own files."))
        }
    }

    private static let depthMax = 16
    /// Objects that stand for a value.
    private static let values: Set = ["RegExp", "Date", "Error", "String", "Number", "Boolean", "URL"]

    /// What a package could call or change of a value that it is given; nil: nothing. What is written where it is called is nobody else's.
    private func shared(
        _ object: ProgramObject, _ literal: LiteralPlaces.Literal?, _ places: ArgumentPlaces, depth: Int
    ) throws(Thrown) -> String? {
        if object.isOpaque { return nil }
        if object.isCallable { return "a function" }
        if let builder = Builder.of(object) { return builder.label }
        let isList = object is ScriptArray
        guard isList || object.isPlain else {
            return Self.values.contains(object.className) ? nil : "an object"
        }
        // Nobody changes what is frozen, such as the texts of a template.
        let isOwn = try !object.isExtensible()
        guard isOwn || places.isWritten(literal, asList: isList), depth < Self.depthMax else {
            return isList ? "a list" : "an object"
        }
        let keys = try object.ownKeys().filter { !$0.isSymbol }
        for (number, key) in keys.enumerated() {
            guard let own = try object.ownProperty(key) else { continue }
            if own.isAccessor { return "a getter" }
            guard case .object(let member)? = own.value else { continue }
            let inner =
                isList
                ? literal.flatMap { $0.elements.indices.contains(number) ? $0.elements[number] : nil }
                : literal?.members[object.realm.describe(key)]?.value
            if let found = try shared(member, inner, places, depth: depth + 1) { return found }
        }
        return nil
    }
}

extension ProgramObject {
    /// True if it is an object of a literal.
    fileprivate var isPlain: Bool {
        type(of: self) == ProgramObject.self && (prototype == nil || prototype === realm.prototype(.object))
    }
}

extension ArgumentPlaces {
    /// Returns whether a value is written where it is given, so that nobody else has it.
    fileprivate func isWritten(_ literal: LiteralPlaces.Literal?, asList isList: Bool) -> Bool {
        guard let literal, let byte = byte(at: literal.offset) else { return false }
        return byte == UInt8(ascii: isList ? "[" : "{")
    }
}
