/// A whole file: always strict code, as modules are.
package struct ProgramNode {
    /// Of a script as of a module; what an export declares stands here as a declaration without `export`.
    package var body: [Statement] = []
    /// Every module that is named, in the order of the file, each once.
    package var requests: [ModuleRequest] = []
    package var imports: [ImportEntry] = []
    package var exports: [ExportEntry] = []
    package var hasTopLevelAwait = false
    /// All of the file, for functions that are asked for their text.
    package var text: [UInt16] = []

    package init() {}
}

package struct ModuleRequest {
    package var specifier: [UInt16]
    /// `with { type: "json" }`
    package var isJSON: Bool
    package var place: Place

    package init(specifier: [UInt16], isJSON: Bool, at place: Place) {
        self.specifier = specifier
        self.isJSON = isJSON
        self.place = place
    }
}

package struct ImportEntry {
    package enum Source {
        case name(Name)
        case namespace
        /// `import x = require("y")`: what `export =` gives there, and else the namespace.
        case required
    }

    /// Which of the program's requests.
    package var request: Int
    package var source: Source
    package var local: Name
    package var place: Place

    package init(request: Int, source: Source, local: Name, at place: Place) {
        self.request = request
        self.source = source
        self.local = local
        self.place = place
    }
}

package struct ExportEntry {
    package enum Source {
        /// `export { local as name }`, and every exported declaration; `*default*` of `export default`.
        case local(Name)
        /// `export { name } from`
        case imported(request: Int, Name)
        /// `export * as name from`
        case namespace(request: Int)
        /// `export * from`, whose entry has no name.
        case all(request: Int)

        /// The request that it is of.
        var request: Int? {
            switch self {
            case .local: nil
            case .imported(let request, _), .namespace(let request), .all(let request): request
            }
        }
    }

    /// TypeScript's `export = value` is two entries of the binding `*default*`: `default` and `export=`.
    package var name: Name?
    package var source: Source
    package var place: Place

    package init(name: Name?, source: Source, at place: Place) {
        self.name = name
        self.source = source
        self.place = place
    }
}
