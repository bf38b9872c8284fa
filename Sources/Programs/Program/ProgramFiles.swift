import Blueprint
import GraphQL
import JSON
import Project
import Script

/// Finds the files of a program.
final class ProgramFiles {
    let project: ProjectFolder
    private let surroundings: ProgramSurroundings
    let limits: TypeScriptLimits
    /// All that was read, in the order of the numbers that positions have.
    private(set) var sources: [Source] = []
    private var found: [String: [UInt8]?] = [:]
    private var strayLinks: [String: ProjectFolder.StrayLink] = [:]

    init(of file: String, _ surroundings: ProgramSurroundings, limits: TypeScriptLimits) {
        project = ProjectFolder(of: file, surroundings)
        self.surroundings = surroundings
        self.limits = limits
    }

    /// Takes note of a file that is read, and gives its text.
    func add(_ file: String, _ bytes: [UInt8]) -> Source {
        let source = Source(bytes, name: file)
        numbers[file] = sources.count
        sources.append(source)
        return source
    }

    private var numbers: [String: Int] = [:]
    /// For files that are not ASCII: where each UTF-16 unit stands among the bytes.
    private var offsets: [Int: [Int32]] = [:]

    /// A place of the language as one in the sources.
    /// Where the project's own files first write a name, in capitals or not; nowhere, where they do not.
    func place(of name: String) -> Position {
        let rest = Array(name.utf8.dropFirst())
        guard let first = name.utf8.first.map({ $0 | 0x20 }) else { return .none }
        for (number, source) in sources.enumerated() {
            let bytes = source.bytes
            let offset = bytes.indices.first { offset in
                bytes[offset] | 0x20 == first && bytes[(offset + 1)...].starts(with: rest)
            }
            if let offset { return Position(offset: offset, source: number) }
        }
        return .none
    }

    func position(_ place: SourcePlace?) -> Position { place.map { position($0.file, $0.place) } ?? .none }

    func position(_ file: String, _ place: ProgramPlace) -> Position {
        guard let number = numbers[file] else { return .none }
        return Position(offset: byteOffset(Int(place.offset), number), source: number)
    }

    private func byteOffset(_ unit: Int, _ number: Int) -> Int {
        if offsets[number] == nil {
            let bytes = sources[number].bytes
            var table: [Int32] = []
            if !bytes.allSatisfy({ $0 < 0x80 }) {
                var offset: Int32 = 0
                for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
                    for _ in 0..<UTF16.width(scalar) { table.append(offset) }
                    offset += Int32(UTF8.width(scalar))
                }
            }
            offsets[number] = table
        }
        guard let table = offsets[number], !table.isEmpty else { return unit }
        return table.indices.contains(unit) ? Int(table[unit]) : sources[number].bytes.count
    }

    func bytes(of file: String) -> [UInt8]? {
        if let known = found[file] { return known }
        // Looking for files that are not there is bounded too.
        guard found.count < limits.modulesMax * 20 else { return nil }
        var bytes: [UInt8]?
        if project.contains(file) {
            strayLinks[file] = project.strayLink(in: file)
            if strayLinks[file] == nil { bytes = surroundings.load(file) }
        }
        found[file] = bytes
        return bytes
    }

    /// The link out of the project for which nothing at a path was read, with one of the endings of modules or without.
    func strayLink(at path: String) -> ProjectFolder.StrayLink? {
        candidates(path).lazy.compactMap { self.strayLinks[$0] }.first ?? strayLinks[path]
    }

    static func isRelative(_ module: String) -> Bool {
        module.hasPrefix("./") || module.hasPrefix("../") || module.hasPrefix("/") || module == "." || module == ".."
    }

    private static let wholeEndings = [".ts", ".tsx", ".mts", ".json"]
    private static let endings = [".ts", ".tsx", ".mts", ".js", ".mjs", "/index.ts", "/index.js"]

    /// The file that a relative module name, or one of the project's aliases, stands for.
    func file(of module: String, from file: String) -> String? {
        let folder = Self.folder(of: file)
        if Self.isRelative(module) { return existing(Self.join(folder, module)) }
        for path in aliases(of: module, in: folder) {
            if let file = existing(path) { return file }
        }
        return nil
    }

    private func existing(_ path: String) -> String? { candidates(path).first { bytes(of: $0) != nil } }

    private func candidates(_ path: String) -> [String] {
        var candidates: [String] = []
        for (ending, others) in [(".js", [".ts", ".tsx", ".js"]), (".mjs", [".mts", ".mjs"])]
        where path.hasSuffix(ending) {
            candidates += others.map { path.dropLast(ending.count) + $0 }
        }
        if Self.wholeEndings.contains(where: path.hasSuffix) { candidates.append(path) }
        candidates += Self.endings.map { path + $0 }
        return candidates
    }

    // MARK: Aliases

    private static let foldersMax = 8
    private static let basesMax = 8

    /// The paths that `compilerOptions.paths` gives a module name. Amplify runs the project with the `tsconfig.json` of the folder around
    /// `amplify`; that one comes first, and then those from the nearest outwards.
    private func aliases(of module: String, in folder: String) -> [String] {
        var (own, others): ([String], [String]) = ([], [])
        var folder = folder
        for _ in 0..<Self.foldersMax {
            let file = Self.join(folder, "tsconfig.json")
            if bytes(of: file) != nil {
                let paths = aliases(of: module, by: file)
                if project.path(of: folder) == project.workingDirectory { own += paths } else { others += paths }
            }
            let outer = Self.join(folder, "..")
            guard outer != folder else { break }
            folder = outer
        }
        return own + others
    }

    /// What a file gives a name, or the one that it extends, where it has no `paths` of its own.
    private func aliases(of module: String, by file: String) -> [String] {
        var file = file
        for _ in 0..<Self.basesMax {
            guard let bytes = bytes(of: file), let options = ProjectAliases(bytes) else { return [] }
            let folder = Self.folder(of: file)
            let base = options.base.map { Self.join(folder, $0) }
            if let patterns = options.paths {
                return targets(of: module, patterns, from: base ?? folder) ?? base.map { [Self.join($0, module)] } ?? []
            }
            // A name that no pattern fits is one from the base on.
            if let base { return [Self.join(base, module)] }
            let bases = options.bases.filter(Self.isRelative).flatMap { base in
                [base, base + ".json", base + "/tsconfig.json"].map { Self.join(folder, $0) }
            }
            // The last of several goes over the others.
            guard let base = bases.last(where: { $0.hasSuffix(".json") && self.bytes(of: $0) != nil }) else {
                return []
            }
            file = base
        }
        return []
    }

    /// What the pattern gives that fits a name best, which is the name itself or the one with the longest beginning; nil: none fits.
    private func targets(
        of module: String, _ patterns: [(name: String, targets: [String])], from base: String
    ) -> [String]? {
        if let exact = patterns.first(where: { $0.name.utf8.elementsEqual(module.utf8) }) {
            return exact.targets.map { Self.join(base, $0) }
        }
        var best: (start: Int, middle: String, targets: [String])?
        for (name, targets) in patterns {
            let parts = name.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count > 1 else { continue }
            let (start, end) = (parts[0], parts[1])
            guard module.hasPrefix(start), module.hasSuffix(end), module.count >= start.count + end.count,
                best.map({ $0.start < start.count }) ?? true
            else { continue }
            best = (start.count, String(module.dropFirst(start.count).dropLast(end.count)), targets)
        }
        return best.map { best in
            best.targets.map { path in
                let halves = path.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
                return Self.join(base, halves.count > 1 ? halves[0] + best.middle + halves[1] : path)
            }
        }
    }

    // MARK: Paths

    /// The name of the folder of the file that a place lies in, without the folders around it.
    func name(ofFolderAt position: Position) -> String? {
        guard position.isKnown, sources.indices.contains(position.source), let file = sources[position.source].name
        else { return nil }
        return Self.folder(of: file).split(separator: "/").last.map(String.init)
    }

    static func folder(of file: String) -> String { file.folderOfPath }

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
