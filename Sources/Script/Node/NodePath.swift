/// Paths as `node:path` joins and divides them where paths have `/`.
package enum NodePath {
    typealias Units = [UInt16]
    private static let slash: UInt16 = 0x2F
    private static let dot: UInt16 = 0x2E

    /// Takes `.`, `..` and doubled `/` out of a path.
    private static func parts(_ path: Units, keepsAbove: Bool) -> [ArraySlice<UInt16>] {
        var parts: [ArraySlice<UInt16>] = []
        for part in path.split(separator: slash) where !part.elementsEqual([dot]) {
            if part.elementsEqual([dot, dot]) {
                if let last = parts.last, !last.elementsEqual([dot, dot]) {
                    parts.removeLast()
                } else if keepsAbove {
                    parts.append(part)
                }
            } else {
                parts.append(part)
            }
        }
        return parts
    }

    private static func joined(_ parts: some Sequence<ArraySlice<UInt16>>) -> Units {
        Units(parts.joined(separator: [slash]))
    }

    static func isAbsolute(_ path: Units) -> Bool { path.first == slash }

    static func normalize(_ path: Units) -> Units {
        if path.isEmpty { return [dot] }
        let isAbsolute = isAbsolute(path)
        var result = joined(parts(path, keepsAbove: !isAbsolute))
        if result.isEmpty {
            if isAbsolute { return [slash] }
            return path.last == slash ? [dot, slash] : [dot]
        }
        if path.last == slash { result.append(slash) }
        return isAbsolute ? [slash] + result : result
    }

    static func join(_ paths: [Units]) -> Units {
        let joined = Units(paths.filter { !$0.isEmpty }.joined(separator: [slash]))
        return joined.isEmpty ? [dot] : normalize(joined)
    }

    static func resolve(_ paths: [Units], from directory: Units) -> Units {
        var resolved: Units = []
        for path in paths.reversed() where !path.isEmpty && !isAbsolute(resolved) {
            resolved = resolved.isEmpty ? path : path + [slash] + resolved
        }
        if !isAbsolute(resolved) { resolved = directory + [slash] + resolved }
        return [slash] + joined(parts(resolved, keepsAbove: false))
    }

    static func relative(_ from: Units, _ to: Units, from directory: Units) -> Units {
        let from = resolve([from], from: directory).split(separator: slash)
        let to = resolve([to], from: directory).split(separator: slash)
        let same = zip(from, to).prefix { $0.elementsEqual($1) }.count
        let up = [ArraySlice<UInt16>](repeating: [dot, dot], count: from.count - same)
        return joined(up + to[same...])
    }

    static func dirname(_ path: Units) -> Units {
        let root: Units = isAbsolute(path) ? [slash] : [dot]
        guard let last = path.lastIndex(where: { $0 != slash }), last > 0 else { return root }
        guard let end = path[..<last].lastIndex(of: slash), end > 0 else { return root }
        // Two at the beginning stay two.
        return end == 1 && isAbsolute(path) ? [slash, slash] : Units(path[..<end])
    }

    static func basename(_ path: Units, suffix: Units = []) -> Units {
        var end = path.count
        while end > 0, path[end - 1] == slash { end -= 1 }
        let start = (path[..<end].lastIndex(of: slash) ?? -1) + 1
        let name = Units(path[start..<end])
        if path == suffix { return [] }
        guard !suffix.isEmpty, name != suffix, name.count > suffix.count,
            name.suffix(suffix.count).elementsEqual(suffix)
        else { return name }
        return Units(name.dropLast(suffix.count))
    }

    static func extname(_ path: Units) -> Units {
        let name = basename(path)
        guard let last = name.lastIndex(of: dot), last > 0, name != [dot, dot] else { return [] }
        return Units(name[last...])
    }

    /// Parts of `parse`: root, dir, base, ext, name.
    static func parse(_ path: Units) -> (root: Units, dir: Units, base: Units, ext: Units, name: Units) {
        if path.isEmpty { return ([], [], [], [], []) }
        let root: Units = isAbsolute(path) ? [slash] : []
        let base = basename(path)
        var end = path.count
        while end > root.count, path[end - 1] == slash { end -= 1 }
        let last = path[..<end].lastIndex(of: slash) ?? -1
        let directory = last > root.count - 1 && last >= 0 ? Units(path[..<last]) : root
        // Node sees an extension here.
        let ext = base == [dot, dot] && last == 0 ? [dot] : extname(path)
        return (root, directory, base, ext, Units(base.dropLast(ext.count)))
    }
}
