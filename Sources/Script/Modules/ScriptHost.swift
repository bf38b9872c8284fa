/// What a program's surroundings are: modules, time, chance, and where its console goes. Every way out of a program leads
/// through here.
package protocol ScriptHost: AnyObject {
    /// A line of the console; `level` is the method's name: `log`, `warn`.
    func console(_ level: String, _ line: String)
    /// Milliseconds since 1970.
    func now() -> Double
    /// From 0 up to, not with, 1.
    func random() -> Double
    /// The address of the module that a specifier means in the module at `referrer`. Equal addresses are one module.
    func resolve(_ specifier: String, from referrer: String) throws(ScriptHostError) -> String
    /// The module at an address. `isJSON`: the program asks for `type: "json"`.
    func load(_ address: String, isJSON: Bool, for realm: Realm) throws(ScriptHostError) -> ModuleSource
    /// The address of the module that stands behind an export of a module of which nothing else is known: `aws_lambda` of `aws-cdk-lib`.
    func part(_ name: String, of address: String) -> String?
    /// The properties of `import.meta` in the module at an address.
    func meta(_ address: String) -> [(name: String, value: String)]
    /// The program makes a new object of something that exists only outside.
    func makes(
        _ made: OpaqueObject, of kind: OpaqueObject, _ arguments: [Value], in realm: Realm
    ) throws(Thrown)
    /// The program calls something that exists only outside.
    func calls(_ function: OpaqueObject, _ arguments: [Value], in realm: Realm) throws(Thrown)
    /// The program assigns a property of something that exists only outside.
    func assigns(to object: OpaqueObject, _ name: String, in realm: Realm)
    /// The program goes through the elements or the properties of something that exists only outside. True: there are none for it, and
    /// false: it ends there with an error.
    func passesOver(_ list: OpaqueObject, in realm: Realm) -> Bool
    /// The program asks whether something holds that exists only outside, or how it compares with something else. Nil: it ends there
    /// with an error.
    func decides(_ object: OpaqueObject, isComparison: Bool, in realm: Realm) -> Bool?
    /// Whether something that exists only outside may be anything: a text, a number, a list, or nothing. Comparing it, and asking whether it is
    /// a list, ends the program then.
    func isAnything(_ object: OpaqueObject, in realm: Realm) -> Bool
    /// Returns whether there is nothing at an address that `resolve` gave, so that `import()` of it fails.
    func isMissing(_ address: String) -> Bool
    /// Whether the `default` of a module is all that it exports, for another one that imports it: the module is CommonJS to the real tools.
    func isDefaultWhole(of address: String, for referrer: String) -> Bool
    /// A module imports another one of which nothing is known, and nothing of it: it is run for what it does.
    func importsForEffect(_ address: String, named specifier: String, at place: SourcePlace)
    /// A function of the library needs what exists only outside. True: its result is as unknown, and false: the program ends there with an
    /// error.
    func goesOn(without object: OpaqueObject, in realm: Realm) -> Bool
    /// What `typeof` gives of something that exists only outside. Nil: the program ends there with an error.
    func typeName(of object: OpaqueObject, in realm: Realm) -> String?
    /// The text of a member of something that exists only outside, where it is a constant that everybody knows.
    func constant(_ name: String, of object: OpaqueObject) -> String?
}

extension ScriptHost {
    package func part(_ name: String, of address: String) -> String? { nil }
    package func makes(
        _ made: OpaqueObject, of kind: OpaqueObject, _ arguments: [Value], in realm: Realm
    ) throws(Thrown) {}
    package func calls(_ function: OpaqueObject, _ arguments: [Value], in realm: Realm) throws(Thrown) {}
    package func isAnything(_ object: OpaqueObject, in realm: Realm) -> Bool { false }
    package func isDefaultWhole(of address: String, for referrer: String) -> Bool { false }
    package func isMissing(_ address: String) -> Bool { false }
    package func importsForEffect(_ address: String, named specifier: String, at place: SourcePlace) {}
    package func assigns(to object: OpaqueObject, _ name: String, in realm: Realm) {}
    package func passesOver(_ list: OpaqueObject, in realm: Realm) -> Bool { false }
    package func decides(_ object: OpaqueObject, isComparison: Bool, in realm: Realm) -> Bool? { nil }
    package func goesOn(without object: OpaqueObject, in realm: Realm) -> Bool { false }
    package func typeName(of object: OpaqueObject, in realm: Realm) -> String? { nil }
    package func constant(_ name: String, of object: OpaqueObject) -> String? { nil }
}

/// What stands behind an address.
package enum ModuleSource {
    case program(CompiledProgram)
    /// `hasNames`: the members of its object can be imported by their names, as bundlers have it.
    case json([UInt16], hasNames: Bool = false)
    /// Exports by name, `default` among them.
    case native([(name: String, value: Value)])
    /// Whatever is imported from it is opaque; `name` is what messages call the module.
    case opaque(name: String)
}

/// Why the host has no such module.
package struct ScriptHostError: Error {
    package let message: String
    package let hint: String?
    /// A file that is no program: where in which file.
    package var file: String?
    package var place: Place?
    package var isSyntax = false

    package init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    package init(_ error: ScriptSyntaxError, file: String) {
        message = error.message
        hint = error.hint
        self.file = file
        place = error.place
        isSyntax = true
    }
}

/// A host that has no modules, always the same time, and says nothing.
package final class QuietHost: ScriptHost {
    package init() {}

    package func console(_ level: String, _ line: String) {}
    package func now() -> Double { 0 }
    package func random() -> Double { 0.5 }

    package func resolve(_ specifier: String, from referrer: String) throws(ScriptHostError) -> String {
        throw ScriptHostError("Cannot find module '\(specifier)'")
    }

    package func load(_ address: String, isJSON: Bool, for realm: Realm) throws(ScriptHostError) -> ModuleSource {
        throw ScriptHostError("Cannot find module '\(address)'")
    }

    package func meta(_ address: String) -> [(name: String, value: String)] { [] }
}
