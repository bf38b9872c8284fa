import Blueprint
import GraphQL
import Project
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
            if let builder = Builder.of(object) {
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

extension Builder {
    /// The builder that an object of the program stands for: its own, or a copy with the same `data`.
    static func of(_ object: ProgramObject) -> Builder? {
        if let host = object as? HostObject { return host.payload as? Builder }
        guard !object.isOpaque, !object.isCallable, !(object is ScriptArray),
            case .object(let data)? = (try? object.ownProperty(object.realm.key(BuilderData.name)))?.value
        else { return nil }
        return ((data as? HostObject)?.payload as? BuilderData)?.builder
    }
}

/// What Amplify's own objects keep under `data`, which copies of a builder share. Nothing else of it is there.
final class BuilderData {
    static let name = "data"
    let builder: Builder

    init(_ builder: Builder) {
        self.builder = builder
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
