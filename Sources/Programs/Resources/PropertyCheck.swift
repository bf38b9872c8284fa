import Blueprint
import GraphQL
import Project
import Script

/// Looks at what a program has assigned to the properties of a resource, all of it: a name that the resource does not have, a value of
/// another kind, and what does not hold here.
struct PropertyCheck {
    private let resource: ResourceProperties
    private let errors: ResourceErrors
    /// Where the program writes a name.
    private let place: (String) -> Position
    private let warn: (String, Position) -> Void

    init(
        _ resource: ResourceProperties, _ errors: ResourceErrors, place: @escaping (String) -> Position,
        warn: @escaping (String, Position) -> Void
    ) {
        (self.resource, self.errors, self.place, self.warn) = (resource, errors, place, warn)
    }

    /// - Parameter methods: what stands there and is no property.
    func run(on part: OpaqueObject, without methods: [String]) {
        for key in part.assignedKeys {
            let name = part.realm.describe(key)
            guard !methods.contains(name), let value = try? part.get(key) else { continue }
            check(value, resource.members, name, in: resource.name)
        }
    }

    /// One property, which is assigned to what is not followed any further.
    func run(on name: String, _ value: ProgramValue) { check(value, resource.members, name, in: resource.name) }

    private func check(_ value: ProgramValue, _ members: [PropertyUse.Member], _ name: String, in path: String) {
        guard let use = members.first(where: { $0.name == name })?.use else {
            let near = NearestName.of(name, in: members.map(\.name))
            guard resource.saysRights else {
                return warn(
                    "`\(path)` has no property `\(name)`" + (near.map { "; is \($0) meant?" } ?? ""), place(name))
            }
            errors.add(
                TypeScriptError(
                    "`\(path)` has no property `\(name)`", at: place(name),
                    hint: near.map { "Did you mean \($0)?" } ?? "It has \(members.map(\.name).joined(separator: ", "))."
                ))
            return
        }
        check(value, use, name, "\(path).\(name)")
    }

    private func check(_ value: ProgramValue, _ use: PropertyUse, _ name: String, _ path: String) {
        switch value {
        case .undefined, .null: return
        default: break
        }
        switch use {
        case .read, .meaningless: return
        case .unserved(let reason):
            return warn("`\(path)` does not hold here: \(reason)", place(name))
        case .refused(let reason):
            return errors.add(
                TypeScriptError(
                    "`\(path)` restricts somebody, and does not hold here: \(reason)", at: place(name),
                    hint: "Leave it out for a server of your own."))
        default: break
        }
        if case .object(let object) = value, let opaque = object as? OpaqueObject {
            return errors.add(
                TypeScriptError(
                    "`\(path)` is \(opaque.fullOrigin), which is known only when the app is deployed", at: place(name)))
        }
        switch use {
        case .flag: if KnownFlag.flag(value) == nil { wrong(path, name, "true or false") }
        case .text: if value.text == nil { wrong(path, name, "a text") }
        case .number(let range):
            if KnownFlag.number(value).map(range.contains) != true {
                wrong(path, name, "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
            }
        case .word(let words):
            if value.text.map(words.contains) != true { wrong(path, name, "one of \(words.joined(separator: ", "))") }
        case .texts: elements(value, path, name, "a text") { $0.text != nil }
        case .words(let words):
            elements(value, path, name, "one of \(words.joined(separator: ", "))") {
                $0.text.map(words.contains) == true
            }
        case .object(let members):
            guard case .object(let object) = value, !(object is ScriptArray), !object.isCallable,
                let keys = try? object.enumerableKeys()
            else { return wrong(path, name, "an object") }
            for key in keys {
                guard let member = try? object.get(key) else { continue }
                check(member, members, object.realm.describe(key), in: path)
            }
        case .list(let use):
            guard let values = value.list else { return wrong(path, name, "a list") }
            for value in values { check(value, use, name, path) }
        case .read, .meaningless, .unserved, .refused: break
        }
    }

    private func wrong(_ path: String, _ name: String, _ expected: String) {
        errors.add(TypeScriptError("`\(path)` is \(expected)", at: place(name)))
    }

    private func elements(
        _ value: ProgramValue, _ path: String, _ name: String, _ expected: String, _ isRight: (ProgramValue) -> Bool
    ) {
        guard let values = value.list else { return wrong(path, name, "a list, each \(expected)") }
        for value in values {
            if case .object(let object) = value, let opaque = object as? OpaqueObject {
                errors.add(
                    TypeScriptError(
                        "`\(path)` has \(opaque.fullOrigin), which is known only when the app is deployed",
                        at: place(name)))
            } else if !isRight(value) {
                wrong(path, name, "a list, each \(expected)")
            }
        }
    }
}

/// Truth values and numbers, also where an override writes them as texts, as templates may.
enum KnownFlag {
    static func flag(_ value: ProgramValue) -> Bool? {
        switch value {
        case .boolean(let flag): flag
        case .text(let text): text.string == "true" ? true : text.string == "false" ? false : nil
        default: nil
        }
    }

    static func number(_ value: ProgramValue) -> Double? {
        switch value {
        case .number(let number): number
        case .text(let text): Int(text.string).map(Double.init)
        default: nil
        }
    }
}
