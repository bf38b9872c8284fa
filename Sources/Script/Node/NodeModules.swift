/// What a host lends to the modules of Node that programs may use. A host that has no files answers nothing.
package protocol NodeHost: AnyObject, Sendable {
    /// The absolute path of the folder that programs run in.
    var workingDirectory: String { get }
    var environment: [(name: String, value: String)] { get }
    /// Called when a program looks for a variable that is not among them.
    func missing(variable name: String)
    var arguments: [String] { get }
    /// `linux`, `darwin`
    var platform: String { get }
    /// The bytes of a file at an absolute path; nothing where there is none that programs may read.
    func contents(of path: String) throws(ScriptHostError) -> [UInt8]?
    /// Returns whether there is a file or folder at an absolute path; an error where programs may not know.
    func exists(_ path: String) throws(ScriptHostError) -> Bool
    /// The names of what lies in a folder that programs may read, in the order of the alphabet; nothing where there is none.
    func names(in folder: String) throws(ScriptHostError) -> [String]?
}

extension NodeHost {
    package func missing(variable name: String) {}
    package func names(in folder: String) throws(ScriptHostError) -> [String]? { nil }
}

/// The modules `node:path`, `node:url`, `node:fs` and `node:process`, as far as programs that are read for their result need
/// them: nothing writes, and what is read, the host allows.
package enum NodeModules {
    /// The exports of a module, or nothing where it is none of these. With or without `node:`.
    package static func exports(
        of specifier: String, in realm: Realm, _ host: any NodeHost
    ) -> [(name: String, value: Value)]? {
        guard let name = address(of: specifier)?.dropFirst(5) else { return nil }
        let table: [NativeProperty]
        switch name {
        case "path": table = pathTable(host)
        case "url": table = urlTable(host)
        case "fs": table = fileTable(host)
        case "process":
            let process = process(in: realm, host)
            return [("default", .object(process))]
                + names(processTable(host).filter(\.isValue)).map { name in
                    (name, (try? process.get(name)) ?? .undefined)
                }
        default: return nil
        }
        let object = realm.object({ table }, prototype: realm.prototype(.object))
        if name == "path" { object.put("posix", .object(object)) }
        let members = names(table) + (name == "path" ? ["posix"] : [])
        return [("default", .object(object))]
            + members.map { name in (name, (try? object.get(name)) ?? .undefined) }
    }

    /// The one address of a module that has two names, or nothing where it is none of these.
    package static func address(of specifier: String) -> String? {
        let name = specifier.hasPrefix("node:") ? String(specifier.dropFirst(5)) : specifier
        switch name {
        case "path", "path/posix": return "node:path"
        case "url", "fs", "process": return "node:" + name
        default: return nil
        }
    }

    private static func names(_ table: [NativeProperty]) -> [String] {
        table.compactMap { row in
            if case .name(let name) = row.key { name } else { nil }
        }
    }

    /// The global `process`.
    package static func process(in realm: Realm, _ host: any NodeHost) -> ScriptObject {
        realm.object({ processTable(host) }, prototype: realm.prototype(.object))
    }

    private static func processTable(_ host: any NodeHost) -> [NativeProperty] {
        [
            .made("env") { realm in
                let object = EnvironmentObject(realm, host)
                for (name, value) in host.environment { object.put(name, realm.value(value)) }
                return .object(object)
            },
            .made("argv") { realm in .object(realm.array(host.arguments.map { realm.value($0) })) },
            .text("platform", host.platform),
            .method("cwd", length: 0) { call in call.realm.value(host.workingDirectory) },
            .tag("process"),
        ] + MissingNames.rowsOfProcess
    }

    // MARK: node:path

    private static func pathTable(_ host: any NodeHost) -> [NativeProperty] {
        let directory = Array(host.workingDirectory.utf16)
        return [
            .text("sep", "/"),
            .text("delimiter", ":"),
            .method("basename", length: 2) { call throws(Thrown) in
                let suffix = call[1].isUndefined ? [] : try path(call, 1, "suffix")
                return call.realm.value(NodePath.basename(try path(call, 0), suffix: suffix))
            },
            .method("dirname", length: 1) { call throws(Thrown) in call.realm.value(NodePath.dirname(try path(call, 0)))
            },
            .method("extname", length: 1) { call throws(Thrown) in call.realm.value(NodePath.extname(try path(call, 0)))
            },
            .method("format", length: 1) { call throws(Thrown) in try format(call) },
            .method("isAbsolute", length: 1) { call throws(Thrown) in .boolean(NodePath.isAbsolute(try path(call, 0)))
            },
            .method("join", length: 0) { call throws(Thrown) in call.realm.value(NodePath.join(try paths(call))) },
            .method("normalize", length: 1) { call throws(Thrown) in
                call.realm.value(NodePath.normalize(try path(call, 0)))
            },
            .method("parse", length: 1) { call throws(Thrown) in
                let parts = NodePath.parse(try path(call, 0, "pathString"))
                let object = call.realm.object()
                object.put("root", call.realm.value(parts.root))
                object.put("dir", call.realm.value(parts.dir))
                object.put("base", call.realm.value(parts.base))
                object.put("ext", call.realm.value(parts.ext))
                object.put("name", call.realm.value(parts.name))
                return .object(object)
            },
            .method("relative", length: 2) { call throws(Thrown) in
                call.realm.value(
                    NodePath.relative(try path(call, 0, "from"), try path(call, 1, "to"), from: directory))
            },
            .method("resolve", length: 0) { call throws(Thrown) in
                call.realm.value(NodePath.resolve(try paths(call), from: directory))
            },
            .method("toNamespacedPath", length: 1) { call in call[0] },
        ]
    }

    private static func path(
        _ call: NativeCall, _ index: Int, _ name: String = "path"
    ) throws(Thrown) -> [UInt16] {
        if case .object(let object) = call[index], object.isOpaque { throw call.realm.opaqueUse(object, "as a path") }
        guard case .text(let text) = call[index] else {
            throw call.realm.typeError(
                "The \"\(name)\" argument must be of type string. Received \(call.realm.describe(call[index]))")
        }
        return text.units
    }

    private static func paths(_ call: NativeCall) throws(Thrown) -> [[UInt16]] {
        var paths: [[UInt16]] = []
        for index in 0..<call.count { paths.append(try path(call, index)) }
        return paths
    }

    private static func format(_ call: NativeCall) throws(Thrown) -> Value {
        let realm = call.realm
        guard case .object(let object) = call[0] else {
            throw realm.typeError(
                "The \"pathObject\" argument must be of type object. Received \(realm.describe(call[0]))")
        }
        func part(_ name: String) throws(Thrown) -> [UInt16] {
            let value = try object.get(name)
            return value.isNullish ? [] : try realm.toText(value).units
        }
        let root = try part("root")
        let directory = try part("dir")
        var base = try part("base")
        if base.isEmpty {
            let ext = try part("ext")
            base = try part("name") + (ext.isEmpty || ext.first == 0x2E ? ext : [0x2E] + ext)
        }
        if directory.isEmpty { return realm.value(root + base) }
        return realm.value(directory == root ? directory + base : directory + [0x2F] + base)
    }

    // MARK: node:fs

    private static func fileTable(_ host: any NodeHost) -> [NativeProperty] {
        [
            .method("existsSync", length: 1) { call throws(Thrown) in
                guard let path = try path(ofCall: call, host) else { return .false }
                return .boolean(try exists(path, host))
            },
            .method("readFileSync", length: 2) { call throws(Thrown) in try readFile(call, host) },
            .method("readdirSync", length: 2) { call throws(Thrown) in try NodeFolders.list(call, host) },
            .method("statSync", length: 2) { call throws(Thrown) in try NodeFolders.state(call, host) },
            .method("lstatSync", length: 2) { call throws(Thrown) in try NodeFolders.state(call, host) },
        ] + MissingNames.rowsOfFiles
    }

    /// Returns whether there is a file or folder. A program must not go on with what it may not know.
    static func exists(_ path: String, _ host: any NodeHost) throws(Thrown) -> Bool {
        do throws(ScriptHostError) { return try host.exists(path) } catch {
            throw .ended(.host(message: error.message, hint: error.hint))
        }
    }

    /// The path that `existsSync` is asked about; nil: the argument is none.
    private static func path(ofCall call: NativeCall, _ host: any NodeHost) throws(Thrown) -> String? {
        do throws(Thrown) {
            return try filePath(call, host)
        } catch {
            guard case .value = error else { throw error }
            return nil
        }
    }

    static func filePath(_ call: NativeCall, _ host: any NodeHost) throws(Thrown) -> String {
        let units: [UInt16] =
            if case .object(let object) = call[0], let address = object as? AddressObject {
                try FileAddress.path(of: Array(address.record.text.utf16), call.realm)
            } else {
                try path(call, 0)
            }
        let resolved = NodePath.resolve([units], from: Array(host.workingDirectory.utf16))
        return String(decoding: resolved, as: UTF16.self)
    }

    private static func readFile(_ call: NativeCall, _ host: any NodeHost) throws(Thrown) -> Value {
        let realm = call.realm
        let path = try filePath(call, host)
        var encoding = call[1]
        if case .object(let options) = encoding { encoding = try options.get("encoding") }
        guard case .text(let name) = encoding, ["utf8", "utf-8"].contains(name.string.lowercased()) else {
            throw .ended(
                .unsupported(
                    message: "readFileSync only gives texts", hint: "Write readFileSync(path, \"utf8\")."))
        }
        let bytes: [UInt8]?
        do throws(ScriptHostError) {
            bytes = try host.contents(of: path)
        } catch {
            throw .ended(.host(message: error.message, hint: error.hint))
        }
        guard let bytes else { throw NodeFolders.missing(path, "open", realm) }
        return realm.value(String(decoding: bytes, as: UTF8.self))
    }

    // MARK: node:url

    private static func urlTable(_ host: any NodeHost) -> [NativeProperty] {
        [
            .class("URL", .url),
            .class("URLSearchParams", .urlSearchParams),
            .method("fileURLToPath", length: 1) { call throws(Thrown) in
                let realm = call.realm
                if case .object(let object) = call[0], let address = object as? AddressObject {
                    return realm.value(try FileAddress.path(of: Array(address.record.text.utf16), realm))
                }
                return realm.value(try FileAddress.path(of: try path(call, 0), realm))
            },
            .method("pathToFileURL", length: 1) { call throws(Thrown) in
                let path = try path(call, 0)
                var resolved = NodePath.resolve([path], from: Array(host.workingDirectory.utf16))
                if path.last == 0x2F, resolved.last != 0x2F { resolved.append(0x2F) }
                let special: [(UInt16, String)] = [
                    (0x25, "%25"), (0x5C, "%5C"), (0x0A, "%0A"), (0x0D, "%0D"), (0x09, "%09"), (0x3F, "%3F"),
                    (0x23, "%23"),
                ]
                let escaped = resolved.flatMap { unit in
                    special.first { $0.0 == unit }.map { Array($0.1.utf16) } ?? [unit]
                }
                return .object(
                    try call.realm.construct(
                        call.realm.constructor(.url), [call.realm.value(Array("file://".utf16) + escaped)]))
            },
        ]
    }
}
