import Blueprint
import GraphQL
import Script

extension PlacedGiven {
    init(_ value: ProgramValue, at position: Position, _ run: ProgramRun) {
        self.position = position
        switch value {
        case .text(let text):
            self.value =
                String(validating: text.units, as: UTF16.self).map { .text($0) }
                ?? .refused(
                    TypeScriptError("the text has half of a surrogate pair, which no schema can hold", at: position))
        case .object(let object):
            if let builder = (object as? HostObject)?.payload as? Builder {
                self.value = .builder(builder)
            } else if let opaque = object as? OpaqueObject {
                self.value = .refused(run.refusal(opaque, at: position))
            } else {
                self.value = .other(Self.description(of: object))
            }
        case .number(let number): self.value = .number(number)
        case .boolean(let boolean): self.value = .other(boolean ? "true" : "false")
        case .null: self.value = .other("null")
        default: self.value = .other("undefined")
        }
    }

    private static func description(of object: ProgramObject) -> String {
        if object is PromiseObject { return "a promise, which `await` has not waited for" }
        return object.isCallable ? "a function" : object is ScriptArray ? "a list" : "an object"
    }

    /// The elements of a list; nil for any other value.
    static func elements(
        of value: ProgramValue, _ literal: LiteralPlaces.Literal?, _ places: ArgumentPlaces, _ run: ProgramRun
    ) throws(TypeScriptError) -> [PlacedGiven]? {
        guard case .object(let object) = value, let list = object as? ScriptArray else { return nil }
        let values = try run.reading("the list", at: places.position(of: literal)) { () throws(Thrown) in
            try list.values()
        }
        // With a list spread into it, what is written and what is there do not go side by side.
        let written = literal?.elements.count == values.count ? literal?.elements : nil
        return values.enumerated().map { number, element in
            PlacedGiven(element, at: places.position(of: written?[number] ?? literal), run)
        }
    }
}

extension FunctionTarget {
    init(_ value: ProgramValue, _ run: ProgramRun) {
        switch value {
        case .text(let name): self = .name(name.string)
        case .object(let object):
            self = (object as? OpaqueObject).map { .function(run.reference($0)) } ?? .other
        default: self = .other
        }
    }
}
