import GraphQL

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
            hint: "There is no file \(path) that can be read: write it, or name the one that is there.")
    }

    /// Whether the module that a file names only passes on. It is no part of the schema: nothing of it is evaluated, and what
    /// is wrong with it is no error of the schema.
    func onlyPassesOn(_ entry: String, from file: String) -> Bool {
        guard let path = self.file(of: entry, from: file), let bytes = bytes(of: path) else { return false }
        return PassingHandler.isProven(bytes, limits)
    }
}
