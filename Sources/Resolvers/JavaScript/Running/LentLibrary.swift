import JSON
import Script

/// The functions of the library as JavaScript finds them: `util`, `extensions` and `runtime` as globals, and the modules.
enum LentLibrary {
    /// Functions, and objects of them, in the order of the table.
    private final class Group {
        var names: [String] = []
        var functions: [ByteText: LibraryFunction] = [:]
        var groups: [ByteText: Group] = [:]

        func group(_ name: String) -> Group {
            if let known = groups[name] { return known }
            let group = Group()
            groups[name] = group
            names.append(name)
            return group
        }

        var table: [NativeProperty] {
            names.map { name in
                if let function = functions[name] { return LentLibrary.method(name, function) }
                let rows = groups[name]?.table ?? []
                return .made(name) { realm in .object(realm.object({ rows }, prototype: realm.prototype(.object))) }
            }
        }
    }

    /// What modules have, by the first part of the functions' names.
    static let modules: [(specifier: String, name: String)] = [
        ("@aws-appsync/utils/dynamodb", "dynamodb"), ("@aws-appsync/utils/rds", "rds"), ("@aws-appsync/utils/ai", "ai"),
    ]
    static let mainModule = "@aws-appsync/utils"
    static let mainNames = ["util", "extensions", "runtime"]

    private static let tables: [ByteText: [NativeProperty]] = {
        let root = Group()
        for (name, function) in LibraryTable.javaScript.sorted(by: { $0.key < $1.key }) {
            let parts = name.string.parts(separatedBy: ".")
            var group = root
            for part in parts.dropLast() { group = group.group(part) }
            guard let last = parts.last else { continue }
            group.names.append(last)
            group.functions[last] = function
        }
        return root.groups.mapValues(\.table)
    }()

    static let globals: [NativeProperty] =
        ["util", "extensions"].map { name in
            NativeProperty.made(name) { realm in .object(object(name, realm)) }
        } + [
            .made("runtime") { realm in .object(realm.object({ runtime }, prototype: realm.prototype(.object))) }
        ]

    static func object(_ name: String, _ realm: Realm) -> ScriptObject {
        realm.object({ tables[name] ?? [] }, prototype: realm.prototype(.object))
    }

    static func has(_ specifier: String) -> Bool {
        if case .some = exports(of: specifier) { true } else { false }
    }

    /// What a module exports; nil: there is no such module.
    static func exports(of specifier: String) -> [String]? {
        if specifier == mainModule { return mainNames }
        guard let module = modules.first(where: { $0.specifier == specifier }) else { return nil }
        return (tables[module.name] ?? []).map(\.name)
    }

    private static func method(_ name: String, _ function: LibraryFunction) -> NativeProperty {
        .method(name, length: 0) { call throws(Thrown) in
            let run = try call.run
            let realm = call.realm
            var arguments: [JSONValue] = []
            arguments.reserveCapacity(call.count)
            var reader = ValueReader(
                realm, nestingMax: run.limits.nestingMax, bytesMax: run.limits.resultBytesMax,
                seesUndefined: function.seesUndefined)
            for index in 0..<call.count { arguments.append(try reader.json(call[index])) }
            return realm.value(try run.perform(function, arguments, in: realm))
        }
    }

    private static let runtime: [NativeProperty] = [
        .method("earlyReturn", length: 2) { call throws(Thrown) in
            let run = try call.run
            var reader = ValueReader(
                call.realm, nestingMax: run.limits.nestingMax, bytesMax: run.limits.resultBytesMax)
            var skipsToEnd = false
            if case .object(let options) = call[1], case .text(let target) = try options.get("skipTo") {
                skipsToEnd = target.string == "END"
            }
            throw run.ended(.early(try reader.json(call[0]), skipsToEnd: skipsToEnd))
        }
    ]
}
