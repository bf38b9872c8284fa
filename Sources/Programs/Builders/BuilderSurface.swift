import Blueprint
import Project

/// What programs can do with builders of one kind: one row for each modifier, and the names of what can be read.
final class BuilderSurface: Sendable {
    /// A method that changes its builder.
    struct Modifier: Sendable {
        let name: String
        /// Changes a builder; gives what the call gives, where that is not the builder itself.
        let change: @Sendable (Builder, BuilderArguments) throws(TypeScriptError) -> Builder?

        /// A row of a table: the name, and what it does to a builder of that kind.
        static func modifier<Kind: Builder>(
            _ name: String, _ change: @escaping @Sendable (Kind, BuilderArguments) throws(TypeScriptError) -> Void
        ) -> Modifier {
            Modifier(name: name) { (builder, arguments) throws(TypeScriptError) in
                // Only builders of the kind have the surface that the row stands in.
                guard let builder = builder as? Kind else { return nil }
                try change(builder, arguments)
                return nil
            }
        }

        /// A row of a method that leaves its builder as it is, and gives another one.
        static func maker<Kind: Builder>(
            _ name: String, _ make: @escaping @Sendable (Kind, BuilderArguments) throws(TypeScriptError) -> Builder
        ) -> Modifier {
            Modifier(name: name) { (builder, arguments) throws(TypeScriptError) in
                guard let builder = builder as? Kind else { return nil }
                return try make(builder, arguments)
            }
        }

        /// A row of a modifier that says yes to something.
        static func flag<Kind: Builder>(
            _ name: String, _ field: any ReferenceWritableKeyPath<Kind, Bool> & Sendable
        ) -> Modifier {
            modifier(name) { (builder: Kind, _) throws(TypeScriptError) in builder[keyPath: field] = true }
        }

        /// The row of `authorization`, whose callback gives the rules of such a place.
        static func authorization<Kind: Builder>(
            _ field: any ReferenceWritableKeyPath<Kind, Late<[RuleBuilder]>> & Sendable, _ place: RuleBuilder.Place
        ) -> Modifier {
            modifier("authorization") { (builder: Kind, arguments) throws(TypeScriptError) in
                builder[keyPath: field].keep(try arguments.rules(place))
            }
        }
    }

    static let none = BuilderSurface([])

    let modifiers: [Modifier]
    let properties: [String]
    /// True if programs may list what a builder has, and copy it: its methods and the members of Amplify's own object.
    let isOpen: Bool

    init(_ modifiers: [Modifier], properties: [String] = [], isOpen: Bool = false) {
        self.modifiers = modifiers
        self.properties = properties
        self.isOpen = isOpen
    }

    /// The same with some of the modifiers alone.
    func only(_ names: String...) -> BuilderSurface {
        BuilderSurface(modifiers.filter { names.contains($0.name) }, properties: properties, isOpen: isOpen)
    }

    /// The same without some of them.
    func without(_ names: String...) -> BuilderSurface {
        BuilderSurface(modifiers.filter { !names.contains($0.name) }, properties: properties, isOpen: isOpen)
    }
}
