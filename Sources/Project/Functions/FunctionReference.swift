import Blueprint

/// A Lambda function as `defineFunction` or a mere name describes it.
package struct FunctionReference: Sendable, Hashable {
    package var name: String?
    package var entry: String?
    /// The name of the folder of the file that defines it.
    package var folder: String?
    /// True if it is Amplify's own handler of conversations, which has no code in the project.
    package var isAmplifysConversationHandler = false

    package init(name: String? = nil, entry: String? = nil, folder: String? = nil) {
        self.name = name
        self.entry = entry
        self.folder = folder
    }

    /// What Amplify calls it: its name, that of the file of its code, or that of its folder.
    package var givenName: String? {
        if let name { return name }
        guard let entry else { return folder }
        let file = entry.split(separator: "/").last ?? ""
        return String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
    }
}
