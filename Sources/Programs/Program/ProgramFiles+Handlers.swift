import Blueprint
import GraphQL
import Project

extension ProgramFiles {
    /// Why Amplify does not find a file that a handler names; nil when it is there. It is looked for from the file of the
    /// handler, without any other ending.
    func refusal(ofFile named: PlacedText) -> TypeScriptError? {
        let place = named.position
        guard place.isKnown, sources.indices.contains(place.source), let file = sources[place.source].name else {
            return nil
        }
        let path = Self.join(Self.folder(of: file), named.text)
        guard bytes(of: path) == nil else { return nil }
        return TypeScriptError(
            named.text.hasPrefix("/")
                ? "Cannot find file at \(named.text)"
                : "UnresolvedEntryPathError: Could not determine import path to construct absolute code path from "
                    + "relative path: \(named.text)", at: place,
            hint: strayLink(at: path).map { "\($0.path) is a link that leads out of the project, to \($0.target)." }
                ?? "There is no file \(path) that can be read: write it, or name the one that is there.")
    }

    /// The code of a handler. It may be TypeScript: what AppSync does not take is said elsewhere.
    func code(of handler: CustomHandler) -> HandlerCode {
        let place = handler.position
        guard place.isKnown, sources.indices.contains(place.source), let file = sources[place.source].name,
            let path = self.file(of: handler.entry, from: file), let bytes = bytes(of: path)
        else { return .missing("there is no file \(handler.entry) that can be read") }
        guard bytes.count <= limits.bytesMax else {
            return .missing("\(path) has more than \(limits.bytesMax) bytes")
        }
        let isTypeScript = [".ts", ".mts", ".tsx"].contains(where: path.hasSuffix)
        return .javaScript(String(decoding: bytes, as: UTF8.self), isTypeScript: isTypeScript)
    }

    /// Returns whether the module that a file names only passes on. It is no part of the schema: nothing of it is evaluated, and what
    /// is wrong with it is no error of the schema.
    func onlyPassesOn(_ entry: String, from file: String) -> Bool {
        guard let path = self.file(of: entry, from: file), let bytes = bytes(of: path) else { return false }
        return PassingHandler.isProven(bytes, limits)
    }
}
