import Blueprint
import JSON
import Network
import Patterns
import Store

/// Compares a value with what its key expects, and notes every difference.
///
/// The answer is the value with its paths resolved, or nil when it is wrong.
struct ConfigurationCheck {
    /// Where a value stands, for the problems that are found: in a file, or a variable or option as a whole.
    enum Source {
        case file(ConfigurationFile)
        case variable(String)
        case option(String)
        case project(String)
    }

    let source: Source
    private(set) var problems: [ConfigurationProblem] = []

    init(_ source: Source) {
        self.source = source
    }

    mutating func check(_ value: JSONValue, _ kind: ConfigurationKind, at path: JSONPath) -> JSONValue? {
        switch (kind, value) {
        case (.text, .string), (.boolean, .bool): return value
        case (.form(_, _, let admits), .string(let text)) where admits(text): return value
        case (.secret(_, _, let admits), .string(let text)) where admits(text): return value
        case (.checked(_, let expectation, let fault), .string(let text)):
            guard let fault = fault(text) else { return value }
            note(path, "expected \(expectation), found \(Self.shown(value)): \(fault)")
            return nil
        case (.integer(let range, _), .integer(let number)) where range.contains(number): return value
        case (.integer(_, or: let word?), .string(let text)) where word.utf8.elementsEqual(text.utf8): return value
        case (.choice(let names), .string(let name)) where names.contains(name): return value
        case (.path, .string(let text)) where !text.isEmpty: return .string(resolved(text))
        case (.databasePath, .string(let text)) where !text.isEmpty:
            if ServerPlace.isURL(text) { return checkDatabaseServer(text, at: path) }
            return text == ":memory:" ? value : .string(resolved(text))
        case (.url, .string(let text)) where Self.isURL(text): return value
        case (.pathOrURL, .string(let text)) where !text.isEmpty:
            return Self.isURL(text) ? value : .string(resolved(text))
        case (.address, .string(let text)) where ListenAddress(text) != nil: return value
        case (.timestamp, .string(let text)) where Timestamp(text) != nil: return value
        case (.pattern, .string(let text)): return checkPattern(text, at: path)
        case (.mailServer, .string(let text)): return checkMailServer(text, at: path)
        case (.mailParty, .string(let text)): return checkMailParty(text, at: path)
        case (.list(let kind), .array(let elements)):
            return checkElements(elements, kind, at: path)
        case (.map(let kind), .object(let object)):
            return checkMembers(object, kind, at: path)
        case (.object(let fields), .object(let object)):
            return checkFields(object, fields, at: path)
        case (.either(_, let second), .object): return check(value, second, at: path)
        case (.either(_, .list(let kind)), .array(let elements)): return checkElements(elements, kind, at: path)
        case (.either(let first, _), .string): return check(value, first, at: path)
        default:
            note(path, "expected \(kind.expectation), found \(kind.holdsSecrets ? value.kind : Self.shown(value))")
            return nil
        }
    }

    private mutating func checkPattern(_ text: String, at path: JSONPath) -> JSONValue? {
        do throws(PatternError) {
            _ = try Pattern(text)
            return .string(text)
        } catch {
            note(path, "expected a regular expression, found \(Self.shown(.string(text))): \(error)")
            return nil
        }
    }

    /// What is wrong is told without the text, which may have a password.
    private mutating func checkMailServer(_ text: String, at path: JSONPath) -> JSONValue? {
        do {
            _ = try MailURL(text)
            return .string(text)
        } catch {
            note(path, "expected \(ConfigurationKind.mailServer.expectation), found one that is wrong: \(error)")
            return nil
        }
    }

    /// The same: nothing of the text is shown.
    private mutating func checkDatabaseServer(_ text: String, at path: JSONPath) -> JSONValue? {
        do throws(StoreError) {
            _ = try ServerPlace(text)
            return .string(text)
        } catch {
            note(path, "the URL of the database cannot be used: \(error.message)")
            return nil
        }
    }

    private mutating func checkMailParty(_ text: String, at path: JSONPath) -> JSONValue? {
        do {
            _ = try MailParty(text)
            return .string(text)
        } catch {
            let expected = ConfigurationKind.mailParty.expectation
            note(path, "expected \(expected), found \(Self.shown(.string(text))): \(error)")
            return nil
        }
    }

    private mutating func checkElements(
        _ elements: [JSONValue], _ kind: ConfigurationKind, at path: JSONPath
    ) -> JSONValue? {
        let checked = elements.enumerated().map { check($1, kind, at: path.appending($0)) }
        return checked.contains(nil) ? nil : .array(checked.compactMap(\.self))
    }

    private mutating func checkMembers(_ object: JSONObject, _ kind: ConfigurationKind, at path: JSONPath) -> JSONValue?
    {
        let checked = object.members.map { ($0.key, check($0.value, kind, at: path.appending($0.key))) }
        guard checked.allSatisfy({ $0.1 != nil }) else { return nil }
        return .object(JSONObject(checked.compactMap { key, value in value.map { (key, $0) } }))
    }

    private mutating func checkFields(
        _ object: JSONObject, _ fields: [ConfigurationField], at path: JSONPath
    ) -> JSONValue? {
        let before = problems.count
        var result = JSONObject()
        for member in object.members {
            guard let field = fields.first(where: { $0.name == member.key }) else {
                noteUnknown(path.appending(member.key), among: fields.map(\.name))
                continue
            }
            // Null is the same as leaving an optional member out.
            if member.value.isNull, !field.isRequired { continue }
            let place = path.appending(member.key)
            if field.isSecret, !field.kind.mayBeShown(member.value) {
                note(place, "expected \(field.kind.expectation), found \(member.value.kind)")
                continue
            }
            result[member.key] = check(member.value, field.kind, at: place)
        }
        for field in fields where field.isRequired && object[field.name] == nil {
            note(path, "expected a member \"\(field.name)\", found none")
        }
        return problems.count == before ? .object(result) : nil
    }

    /// Notes a problem with the value at that path.
    mutating func note(_ path: JSONPath, _ message: String) {
        problems.append(ConfigurationProblem(place: place(of: path), key: path.description, message: message))
    }

    /// Notes that there is no such key, and which one was probably meant.
    mutating func noteUnknown(_ path: JSONPath, among names: some Sequence<String>) {
        var message = "there is no such key"
        if case .key(let name) = path.steps.last, let nearest = NearestName.of(name, in: names) {
            message += "; did you mean \"\(nearest)\"?"
        }
        problems.append(
            ConfigurationProblem(place: place(of: path, key: true), key: path.description, message: message))
    }

    private func place(of path: JSONPath, key: Bool = false) -> String {
        switch source {
        case .file(let file): file.place(of: path, key: key)
        case .variable(let name): name
        case .option(let name): "--\(name)"
        case .project(let name): name
        }
    }

    private func resolved(_ path: String) -> String {
        guard case .file(let file) = source else { return path }
        return file.resolved(path)
    }

    /// A value in a message. Values of secrets never come here.
    private static func shown(_ value: JSONValue) -> String {
        switch value {
        case .null, .bool, .integer, .double, .largeInteger: JSONWriter.text(of: value)
        case .string(let text) where text.utf8.count <= 80: JSONWriter.text(of: .string(text))
        case .string, .array, .object: value.kind
        }
    }

    /// Returns whether this is a URL that can be called: a scheme of HTTP and a host.
    static func isURL(_ text: String) -> Bool {
        for scheme in ["http://", "https://"] where text.lowercased().hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            guard let first = rest.first, first != "/", first != "?", first != "#", first != ":" else { return false }
            return text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        }
        return false
    }
}
