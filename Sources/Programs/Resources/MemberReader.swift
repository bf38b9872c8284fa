import Blueprint
import GraphQL
import Project
import Script

/// Reads the members of an object one by one, and takes note of all that is wrong with them: a member that nobody asks for, a
/// value of another kind, a word that is none of those that there are.
final class MemberReader {
    let object: ObjectArgument
    /// What messages call the object: `loginWith.email`.
    private let path: String
    private let errors: ResourceErrors
    private var asked: [String] = []

    init(_ object: ObjectArgument, _ path: String, _ errors: ResourceErrors) {
        self.object = object
        self.path = path
        self.errors = errors
    }

    private func read<Answer>(
        _ name: String, _ body: (ObjectArgument) throws(TypeScriptError) -> Answer?
    ) -> Answer? {
        if !asked.contains(name) { asked.append(name) }
        do throws(TypeScriptError) { return try body(object) } catch {
            errors.add(error)
            return nil
        }
    }

    /// Says what is wrong with a member, or with the object.
    func refuse(_ message: String, at name: String? = nil, hint: String? = nil) {
        errors.add(
            TypeScriptError(message, at: name.map { object.position(of: $0) } ?? object.position, hint: hint))
    }

    /// Says what Amplify deploys and what will not do what its author meant.
    func warn(_ message: String, hint: String? = nil) {
        errors.warn(TypeScriptError(message, at: object.position, hint: hint))
    }

    /// Says what is wrong with the name of a member.
    func refuseMember(_ name: String, _ message: String, hint: String?) {
        errors.add(TypeScriptError(message, at: object.keyPosition(of: name), hint: hint))
    }

    /// Options that Amplify takes and does nothing with: real projects write them.
    private static let ignored = ["order", "customAttributes", "cors"]

    /// What was never asked for is unknown. Amplify deploys the project without it, so it is a warning; but a name like one that is
    /// known is a misspelling, and what it would have restricted is not known: that refuses the project.
    func finish() {
        let names = read("") { object throws(TypeScriptError) in try object.names() } ?? []
        asked.removeAll { $0.isEmpty }
        for name in names where !asked.contains(name) {
            let nearest = Self.ignored.contains(name) ? nil : NearestName.of(name, in: asked) ?? begun(name)
            let error = TypeScriptError(
                "`\(path)` has no `\(name)`: it knows \(asked.joined(separator: ", "))",
                at: object.keyPosition(of: name), hint: nearest.map { "Did you mean \($0)?" })
            if nearest == nil { errors.warn(error) } else { errors.add(error) }
        }
    }

    /// The name that this one is the beginning of: `postConfirm` of `postConfirmation`.
    private func begun(_ name: String) -> String? {
        name.utf8.count < Self.beginningMin ? nil : asked.first { $0.utf8.starts(with: name.utf8) }
    }

    private static let beginningMin = 4

    // MARK: Values

    func has(_ name: String) -> Bool {
        read(name) { object throws(TypeScriptError) in try object.has(name) } ?? false
    }

    func text(_ name: String) -> String? {
        read(name) { object throws(TypeScriptError) in try object.text(name) }?.text
    }

    /// A text without which the rest is as good: one that cannot be read is a warning.
    func textOrWarning(_ name: String) -> String? {
        if !asked.contains(name) { asked.append(name) }
        do throws(TypeScriptError) { return try object.text(name)?.text } catch {
            errors.warn(error)
            return nil
        }
    }

    /// A text that has to be there.
    func neededText(_ name: String) -> String? {
        guard has(name) else {
            refuse("`\(path)` needs `\(name)`, which is a text")
            return nil
        }
        return text(name)
    }

    func flag(_ name: String) -> Bool? {
        read(name) { object throws(TypeScriptError) in try object.boolean(name) }
    }

    func number(_ name: String) -> Double? {
        let number = read(name) { object throws(TypeScriptError) in try object.number(name) }
        if number == nil, has(name), given(name) != nil { wrong(name, expected: "a number") }
        return number
    }

    private func given(_ name: String) -> PlacedGiven? {
        read(name) { object throws(TypeScriptError) in try object.given(name) }
    }

    private func wrong(_ name: String, expected: String) {
        guard let given = given(name) else { return }
        if case .refused(let error) = given.value { return errors.add(error) }
        errors.add(
            TypeScriptError(
                "`\(path)` takes \(expected) as `\(name)`, found \(given.value.description)", at: given.position))
    }

    /// A word of some.
    func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _ type: Choice.Type) -> Choice?
    where Choice.RawValue == String {
        guard let word = text(name) else { return nil }
        if let choice = Choice(rawValue: word) { return choice }
        refuseWord(word, in: Choice.allCases.map(\.rawValue), at: object.position(of: name), of: name)
        return nil
    }

    private func refuseWord(_ word: String, in words: [String], at position: Position, of name: String) {
        errors.add(
            TypeScriptError(
                "`\(name)` is one of \(words.joined(separator: ", ")), not \"\(word.prefix(80))\"", at: position,
                hint: NearestName.of(word, in: words).map { "Did you mean \($0)?" }))
    }

    /// A list of texts, of some words where those are given.
    func texts(_ name: String, of words: [String]? = nil) -> [PlacedText]? {
        guard has(name) else { return nil }
        guard let elements = read(name, { object throws(TypeScriptError) in try object.elements(name) }) else {
            wrong(name, expected: "a list of texts")
            return nil
        }
        var texts: [PlacedText] = []
        for element in elements {
            switch element.value {
            case .text(let text):
                if let words, !words.contains(text) {
                    refuseWord(text, in: words, at: element.position, of: name)
                } else {
                    texts.append(PlacedText(text: text, position: element.position))
                }
            case .refused(let error): errors.add(error)
            default:
                errors.add(
                    TypeScriptError(
                        "`\(name)` is a list of texts, found \(element.value.description)", at: element.position))
            }
        }
        return texts
    }

    func secret(_ name: String) -> AuthResource.SecretValue {
        guard has(name) else {
            refuse("`\(path)` needs `\(name)`", hint: "Write \(name): secret('NAME').")
            return .unknown
        }
        return read(name) { object throws(TypeScriptError) in try object.secret(name) } ?? .unknown
    }

    func function(_ name: String) -> FunctionReference? {
        read(name) { object throws(TypeScriptError) in try object.function(name) }
    }

    /// The text that a function gives which is called with functions that stand for what is known only later.
    func text(calling name: String, _ placeholders: TextPlaceholder...) -> String? {
        read(name) { object throws(TypeScriptError) in
            try object.text(calling: name) { realm in placeholders.map { $0.function(realm) } }
        }?.text
    }

    /// The grants that a function gives which is called with `allow`.
    func grants(_ name: String) -> [(builder: AccessGrantBuilder, position: Position)] {
        let position = object.position(of: name)
        let values = read(name) { object throws(TypeScriptError) in try object.results(calling: name) } ?? []
        return values.compactMap { value in
            do throws(TypeScriptError) {
                let builder: AccessGrantBuilder = try value.builder("allow.resource(fn).to([...])")
                return (builder, builder.madeAt.isKnown ? builder.madeAt : position)
            } catch {
                errors.add(error)
                return nil
            }
        }
    }

    /// The paths with rules that a function gives which is called with `allow`; nil where there is none.
    func paths(
        _ name: String
    ) -> [(path: String, position: Position, rules: [(builder: StorageRuleBuilder, position: Position)])]? {
        guard has(name) else { return nil }
        let usual = object.position(of: name)
        guard let given = read(name, { object throws(TypeScriptError) in try object.object(calling: name) }) else {
            return []
        }
        let paths = MemberReader(given, inside(name), errors)
        return paths.names().map { path in
            let elements = paths.read(path) { object throws(TypeScriptError) in try object.elements(path) }
            if elements == nil { paths.wrong(path, expected: "a list of rules") }
            let rules = (elements ?? []).compactMap { element -> (builder: StorageRuleBuilder, position: Position)? in
                do throws(TypeScriptError) {
                    let builder: StorageRuleBuilder = try element.builder("a rule such as allow.guest.to(['read'])")
                    return (builder, builder.madeAt.isKnown ? builder.madeAt : usual)
                } catch {
                    errors.add(error)
                    return nil
                }
            }
            return (path, rules.first?.position ?? usual, rules)
        }
    }

    // MARK: Objects

    /// A member that is an object, to be read and finished.
    func members(_ name: String) -> MemberReader? {
        guard has(name) else { return nil }
        guard let inner = read(name, { object throws(TypeScriptError) in try object.object(name) }) else {
            wrong(name, expected: "an object")
            return nil
        }
        return MemberReader(inner, inside(name), errors)
    }

    /// A member that is `true`, or an object that says more.
    func membersOrTrue(_ name: String) -> (isThere: Bool, members: MemberReader?) {
        guard has(name) else { return (false, nil) }
        if let inner = read(name, { object throws(TypeScriptError) in try object.object(name) }) {
            return (true, MemberReader(inner, inside(name), errors))
        }
        guard case .other(let description)? = given(name)?.value, ["true", "false"].contains(description) else {
            wrong(name, expected: "true or an object")
            return (false, nil)
        }
        return (description == "true", nil)
    }

    /// The objects of a list.
    func list(_ name: String) -> [MemberReader] {
        guard has(name) else { return [] }
        guard let elements = read(name, { object throws(TypeScriptError) in try object.objects(name) }) else {
            wrong(name, expected: "a list of objects")
            return []
        }
        return elements.compactMap { element in
            guard let inner = element.object else {
                errors.add(TypeScriptError("`\(inside(name))` is a list of objects", at: element.position))
                return nil
            }
            return MemberReader(inner, inside(name), errors)
        }
    }

    /// The names of all members, for an object whose names are its author's.
    func names() -> [String] {
        let names = read("") { object throws(TypeScriptError) in try object.names() } ?? []
        asked.removeAll { $0.isEmpty }
        return names
    }

    private func inside(_ name: String) -> String {
        path == "defineAuth" || path == "defineStorage" ? name : "\(path).\(name)"
    }
}

/// All that is wrong with the resources of a project.
final class ResourceErrors {
    private(set) var all: [TypeScriptError] = []
    /// What is wrong and does no harm.
    private(set) var warnings: [TypeScriptError] = []
    private static let countMax = 100

    func add(_ error: TypeScriptError) {
        if all.count < Self.countMax, !all.contains(error) { all.append(error) }
    }

    func warn(_ error: TypeScriptError) {
        if warnings.count < Self.countMax, !warnings.contains(error) { warnings.append(error) }
    }
}
