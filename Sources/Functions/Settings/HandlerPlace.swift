import JSON

/// The file of a handler and what of it is called.
///
///     amplify/functions/echo/handler.ts      that file, its `handler`
///     src/index.py:answer                    that file, its `answer`
///     src/index.handler                      as Lambda writes it: the file of that name, whatever its ending, its `handler`
package struct HandlerPlace: Sendable, Equatable {
    package enum Language: Sendable, Equatable {
        case node, python
    }

    package let file: String
    package let export: String
    package let language: Language

    /// Why a text names no handler.
    package struct Fault: Error, Equatable {
        package let message: String
    }

    private static let nodeEndings = [".mjs", ".js", ".cjs", ".ts", ".mts", ".cts", ".tsx"]
    private static let usualExport = "handler"

    package init(file: String, export: String = usualExport, language: Language) {
        self.file = file
        self.export = export
        self.language = language
    }

    /// - Parameter isFile: whether there is a file of that name.
    package init(_ text: String, isFile: (String) -> Bool) throws(Fault) {
        let parts = Self.split(text)
        if let language = Self.language(of: parts.file) {
            guard isFile(parts.file) else { throw Fault(message: "there is no file \(parts.file)") }
            self.init(file: parts.file, export: parts.export ?? Self.usualExport, language: language)
            return
        }
        // `folder/module.export`: the last part of a path has no dot but that one.
        let start = text.lastIndex(of: "/").map(text.index(after:)) ?? text.startIndex
        guard let dot = text[start...].firstIndex(of: "."), dot > start, text.index(after: dot) < text.endIndex else {
            throw Fault(
                message:
                    "a handler is a file such as \"functions/echo/handler.ts\", or a file and a function of it such as "
                    + "\"src/index.handler\" or \"index.py:answer\"")
        }
        let module = String(text[..<dot])
        let export = String(text[text.index(after: dot)...])
        for ending in Self.nodeEndings + [".py"] where isFile(module + ending) {
            self.init(file: module + ending, export: export, language: ending == ".py" ? .python : .node)
            return
        }
        throw Fault(message: "there is no file \(module).js, .mjs, .cjs, .ts, .mts or .py")
    }

    /// The folder of the file.
    package var folder: String { file.folderOfPath }

    /// The handler's name for runtimes: the file's name without its ending, and the function.
    package var told: String {
        let name = file.lastIndex(of: "/").map { file[file.index(after: $0)...] } ?? file[...]
        return "\(name.lastIndex(of: ".").map { name[..<$0] } ?? name).\(export)"
    }

    private static func split(_ text: String) -> (file: String, export: String?) {
        guard let colon = text.lastIndex(of: ":") else { return (text, nil) }
        let export = text[text.index(after: colon)...]
        guard !export.isEmpty, !export.contains("/") else { return (text, nil) }
        return (String(text[..<colon]), String(export))
    }

    private static func language(of file: String) -> Language? {
        if file.hasSuffix(".py") { return .python }
        return nodeEndings.contains(where: file.hasSuffix) ? .node : nil
    }
}
