/// `readdirSync` and `statSync` of `node:fs`, for folders and files that the host lets programs read.
enum NodeFolders {
    private static let depthMax = 32
    private static let entriesMax = 10_000

    /// `readdirSync(path, { withFileTypes, recursive })`
    static func list(_ call: NativeCall, _ host: any NodeHost) throws(Thrown) -> Value {
        let realm = call.realm
        let path = try NodeModules.filePath(call, host)
        var (hasTypes, isDeep) = (false, false)
        if case .object(let options) = call[1] {
            hasTypes = try realm.toBoolean(try options.get("withFileTypes"))
            isDeep = try realm.toBoolean(try options.get("recursive"))
        }
        guard let names = try names(in: path, host) else {
            throw try NodeModules.exists(path, host) ? notAFolder(path, realm) : missing(path, "scandir", realm)
        }
        var entries: ContiguousArray<Value> = []
        var folders = [(path: path, start: "", names: names, depth: 0)]
        while !folders.isEmpty {
            let folder = folders.removeFirst()
            for name in folder.names {
                try realm.spend()
                let whole = "\(folder.path)/\(name)"
                let inner = hasTypes || isDeep ? try self.names(in: whole, host) : nil
                entries.append(
                    hasTypes
                        ? .object(entry(name, in: folder.path, isFolder: inner != nil, realm))
                        : realm.value(folder.start + name))
                guard isDeep, let inner, folder.depth < depthMax else { continue }
                folders.append((whole, "\(folder.start)\(name)/", inner, folder.depth + 1))
            }
            if entries.count > entriesMax { throw .ended(.limit(.listLength)) }
        }
        return .object(realm.array(entries))
    }

    /// `statSync(path)`: whether it is a folder or a file, and its size.
    static func state(_ call: NativeCall, _ host: any NodeHost) throws(Thrown) -> Value {
        let realm = call.realm
        let path = try NodeModules.filePath(call, host)
        let isFolder = try names(in: path, host) != nil
        let bytes = isFolder ? nil : try contents(of: path, host)
        guard isFolder || bytes != nil else {
            if case .object(let options) = call[1], case .boolean(false) = try options.get("throwIfNoEntry") {
                return .undefined
            }
            throw missing(path, "stat", realm)
        }
        let object = kinds(isFolder: isFolder, realm)
        object.put("size", .number(Double(bytes?.count ?? 0)))
        return .object(object)
    }

    /// What `withFileTypes` gives of one.
    private static func entry(_ name: String, in folder: String, isFolder: Bool, _ realm: Realm) -> ScriptObject {
        let object = kinds(isFolder: isFolder, realm)
        object.put("name", realm.value(name))
        object.put("parentPath", realm.value(folder))
        object.put("path", realm.value(folder))
        return object
    }

    private static func kinds(isFolder: Bool, _ realm: Realm) -> ScriptObject {
        let object = realm.object()
        for (name, answer) in [("isDirectory", isFolder), ("isFile", !isFolder), ("isSymbolicLink", false)] {
            object.put(name, .object(realm.function(name, length: 0) { _ in .boolean(answer) }))
        }
        return object
    }

    private static func names(in folder: String, _ host: any NodeHost) throws(Thrown) -> [String]? {
        do throws(ScriptHostError) { return try host.names(in: folder) } catch {
            throw .ended(.host(message: error.message, hint: error.hint))
        }
    }

    private static func contents(of path: String, _ host: any NodeHost) throws(Thrown) -> [UInt8]? {
        do throws(ScriptHostError) { return try host.contents(of: path) } catch {
            throw .ended(.host(message: error.message, hint: error.hint))
        }
    }

    // MARK: Errors

    /// `ENOENT`, as Node has it.
    static func missing(_ path: String, _ call: String, _ realm: Realm) -> Thrown {
        error("ENOENT", -2, "no such file or directory", path, call, realm)
    }

    private static func notAFolder(_ path: String, _ realm: Realm) -> Thrown {
        error("ENOTDIR", -20, "not a directory", path, "scandir", realm)
    }

    private static func error(
        _ code: String, _ number: Double, _ words: String, _ path: String, _ call: String, _ realm: Realm
    ) -> Thrown {
        let error = ErrorObject(
            realm, realm.text("\(code): \(words), \(call) '\(path)'"), prototype: realm.prototype(.error))
        error.put("errno", .number(number))
        error.put("syscall", realm.value(call))
        error.put("code", realm.value(code))
        error.put("path", realm.value(path))
        return .value(.object(error))
    }
}
