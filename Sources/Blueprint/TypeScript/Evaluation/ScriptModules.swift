import GraphQL

/// Finds and parses the modules of a schema.
final class ScriptModules {
    /// Gives the bytes of a file, or nil when there is none that can be read.
    typealias Load = (String) -> [UInt8]?

    private let load: Load
    let limits: TypeScriptLimits
    /// All that was read, in the order of the numbers that positions have.
    private(set) var sources: [Source] = []
    private var found: [String: [UInt8]?] = [:]

    init(limits: TypeScriptLimits, load: @escaping Load) {
        self.load = load
        self.limits = limits
    }

    /// Reads and parses a file.
    func parse(_ file: String, _ bytes: [UInt8]) throws(TypeScriptError) -> ScriptModule {
        guard sources.count < limits.modulesMax else {
            throw TypeScriptError("the schema has more than \(limits.modulesMax) files", at: .none)
        }
        let source = Source(bytes, name: file)
        sources.append(source)
        return try ScriptParser.module(source, sourceNumber: sources.count - 1, limits: limits)
    }

    func bytes(of file: String) -> [UInt8]? {
        if let known = found[file] { return known }
        // Looking for files that are not there is bounded too.
        guard found.count < limits.modulesMax * 20 else { return nil }
        let bytes = load(file)
        found[file] = bytes
        return bytes
    }

    private static let endings = [".ts", ".tsx", ".mts", ".js", ".mjs", "/index.ts", "/index.js"]

    /// The file that a relative module name, or one of the project's aliases, stands for.
    func file(of module: String, from file: String) -> String? {
        let folder = Self.folder(of: file)
        if module.hasPrefix("./") || module.hasPrefix("../") || module == "." || module == ".." {
            return existing(Self.join(folder, module))
        }
        for path in aliases(of: module, in: folder) {
            if let file = existing(path) { return file }
        }
        return nil
    }

    private func existing(_ path: String) -> String? {
        var candidates: [String] = []
        for (ending, others) in [(".js", [".ts", ".tsx", ".js"]), (".mjs", [".mts", ".mjs"])]
        where path.hasSuffix(ending) {
            candidates += others.map { path.dropLast(ending.count) + $0 }
        }
        if [".ts", ".tsx", ".mts"].contains(where: path.hasSuffix) { candidates.append(path) }
        candidates += Self.endings.map { path + $0 }
        return candidates.first { bytes(of: $0) != nil }
    }

    // MARK: Aliases

    /// The paths that `compilerOptions.paths` of the nearest tsconfig.json gives a module name.
    private func aliases(of module: String, in folder: String) -> [String] {
        var folder = folder
        for _ in 0..<8 {
            let file = Self.join(folder, "tsconfig.json")
            if let bytes = bytes(of: file) { return aliases(of: module, in: folder, Source(bytes, name: file)) }
            folder = Self.join(folder, "..")
        }
        return []
    }

    private func aliases(of module: String, in folder: String, _ source: Source) -> [String] {
        // Its comments and trailing commas are TypeScript's own.
        guard let tree = try? ScriptParser.expression(source, sourceNumber: 0, limits: limits),
            let options = tree.literal("compilerOptions")
        else { return [] }
        var base = folder
        if case .string(let path)? = options.literal("baseUrl")?.kind { base = Self.join(folder, path) }
        guard case .object(let patterns)? = options.literal("paths")?.kind else { return [] }
        var paths: [String] = []
        for pattern in patterns {
            guard case .value(.name(let name, _), let targets) = pattern, case .array(let list) = targets.kind else {
                continue
            }
            let parts = name.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
            let (start, end) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            guard
                parts.count > 1
                    ? module.hasPrefix(start) && module.hasSuffix(end) && module.count >= start.count + end.count
                    : module == name
            else { continue }
            let middle = parts.count > 1 ? String(module.dropFirst(start.count).dropLast(end.count)) : ""
            for case .value(let target) in list {
                guard case .string(let path) = target.kind else { continue }
                let halves = path.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
                paths.append(Self.join(base, halves.count > 1 ? halves[0] + middle + halves[1] : path))
            }
        }
        return paths
    }

    // MARK: Paths

    /// The name of the folder of the file that a place lies in, without the folders around it.
    func name(ofFolderAt position: Position) -> String? {
        guard position.isKnown, sources.indices.contains(position.source), let file = sources[position.source].name
        else { return nil }
        return Self.folder(of: file).split(separator: "/").last.map(String.init)
    }

    static func folder(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// A path from a folder, without the `.` and `..` that can be taken out of it.
    static func join(_ folder: String, _ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !whole.hasPrefix("/") {
                parts.append(part)
            }
        }
        let joined = parts.joined(separator: "/")
        return whole.hasPrefix("/") ? "/" + joined : joined.isEmpty ? "." : joined
    }
}

extension ScriptExpression {
    /// The value of a property of an object literal.
    fileprivate func literal(_ name: String) -> ScriptExpression? {
        guard case .object(let parts) = kind else { return nil }
        for case .value(.name(let found, _), let value) in parts where found == name { return value }
        return nil
    }
}
