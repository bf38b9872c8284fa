import Glibc
import JSON
import Network

/// The files of a project that a handler in JavaScript or TypeScript loads, and the packages that they import, as far as the sources say it.
package struct ImportedFiles: Sendable {
    /// The sources, the handler's file first.
    package private(set) var sources: [String] = []
    /// Files of JSON.
    package private(set) var data: [String] = []
    /// The packages, each with the first file that imports it.
    private(set) var packages: [(name: String, file: String)] = []

    private static let endings = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"]
    private static let testEndings = [".test", ".spec", ".d"]

    package init(of handler: String) {
        sources = [handler]
        var place = 0
        var bytesLeft = RuntimeLimits.importedBytesMax
        while place < sources.count, place < RuntimeLimits.importedFilesMax, bytesLeft > 0 {
            let file = sources[place]
            place += 1
            guard let bytes = try? SmallFile.read(file, bytesMax: RuntimeLimits.importedFileBytesMax) else { continue }
            bytesLeft -= bytes.count
            let scanner = ImportScanner(bytes)
            for specifier in scanner.specifiers { add(specifier, from: file) }
            if scanner.loadsSiblings { addSiblings(of: file) }
        }
        sources = Array(sources.prefix(RuntimeLimits.importedFilesMax))
    }

    private mutating func add(_ specifier: String, from file: String) {
        guard specifier.hasPrefix(".") else {
            guard let name = NodePackage.name(of: specifier),
                !packages.contains(where: { ByteText($0.name) == ByteText(name) })
            else { return }
            return packages.append((name, file))
        }
        let written = Self.joined(file.folderOfPath, specifier)
        if written.hasSuffix(".json") {
            if FileStatus.isFile(written), !data.contains(written) { data.append(written) }
            return
        }
        // Modules of TypeScript are written with the ending of what they are compiled to.
        let bare = [".js", ".mjs", ".cjs"].first(where: written.hasSuffix).map {
            String(written.dropLast($0.utf8.count))
        }
        let names =
            [written] + Self.endings.map { written + $0 } + (bare.map { bare in Self.endings.map { bare + $0 } } ?? [])
            + Self.endings.map { "\(written)/index\($0)" }
        let found = names.first { name in Self.endings.contains(where: name.hasSuffix) && FileStatus.isFile(name) }
        if let found, !sources.contains(found) { sources.append(found) }
    }

    private mutating func addSiblings(of file: String) {
        let folder = file.folderOfPath
        let names = FolderContent.names(in: folder, max: RuntimeLimits.importedFilesMax)
        for name in names.sorted() {
            guard let ending = Self.endings.first(where: name.hasSuffix) else { continue }
            let bare = name.dropLast(ending.utf8.count)
            let path = "\(folder)/\(name)"
            if !Self.testEndings.contains(where: bare.hasSuffix), !sources.contains(path) { sources.append(path) }
        }
    }

    private static func joined(_ folder: String, _ path: String) -> String {
        var parts = folder.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { if parts.count > 1 { parts.removeLast() } } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}

/// The names of packages for Node.
enum NodePackage {
    /// The package of what is imported; nil: it is a file, a part of Node, or an alias that no package can have.
    static func name(of specifier: String) -> String? {
        let parts = specifier.split(separator: "/", omittingEmptySubsequences: false)
        let isScoped = specifier.hasPrefix("@")
        guard parts.count > (isScoped ? 1 : 0), let first = parts.first,
            (isScoped ? [first.dropFirst(), parts[1]] : [first]).allSatisfy(isPart)
        else { return nil }
        let name = parts.prefix(isScoped ? 2 : 1).joined(separator: "/")
        return builtIn.contains(ByteText(name)) ? nil : name
    }

    /// Returns whether it is a part of Lambda's own image.
    static func isOfSDK(_ name: String) -> Bool {
        name == "aws-sdk" || name.hasPrefix("@aws-sdk/") || name.hasPrefix("@smithy/")
    }

    /// Returns whether handlers import it for the types of events alone: Amplify brings `@types/aws-lambda`, and no project declares it.
    static func isOfTypes(_ name: String) -> Bool { name == "aws-lambda" }

    private static func isPart(_ part: Substring) -> Bool {
        !part.isEmpty && part.first != "."
            && part.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    private static let builtIn = Set(
        [
            "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
            "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module",
            "net", "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream",
            "string_decoder", "sys", "timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi",
            "worker_threads", "zlib",
        ].map { ByteText($0) })
}
