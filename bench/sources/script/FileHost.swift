import Glibc
import Script
import Threads

/// Modules from files, beside one another.
final class FileHost: ScriptHost {
    var lines: [String] = []
    var printsLines = true
    var seed: UInt64 = 1

    func console(_ level: String, _ line: String) {
        if printsLines { print(line) } else { lines.append(line) }
    }

    func now() -> Double { Double(SystemClock.wall.milliseconds) }

    func random() -> Double {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(seed >> 11) / 9_007_199_254_740_992
    }

    func resolve(_ specifier: String, from referrer: String) throws(ScriptHostError) -> String {
        if specifier.hasPrefix("/") || referrer.isEmpty { return specifier }
        guard specifier.hasPrefix("./") || specifier.hasPrefix("../") else {
            throw ScriptHostError("Cannot find module '\(specifier)'")
        }
        var parts = referrer.split(separator: "/", omittingEmptySubsequences: false).dropLast().map(String.init)
        for part in specifier.split(separator: "/") {
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }

    func load(_ address: String, isJSON: Bool, for realm: Realm) throws(ScriptHostError) -> ModuleSource {
        guard let text = Self.read(address) else { throw ScriptHostError("Cannot find module '\(address)'") }
        if isJSON { return .json(Array(text.utf16)) }
        do throws(ScriptSyntaxError) {
            let options = SyntaxOptions(goal: .module, isTypeScript: address.hasSuffix(".ts"))
            return .program(try Script.compile(text, file: address, options))
        } catch {
            throw ScriptHostError(error, file: address)
        }
    }

    func meta(_ address: String) -> [(name: String, value: String)] { [("url", "file://\(address)")] }

    static func read(_ path: String) -> String? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count <= 0 { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
