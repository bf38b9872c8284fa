import GraphQL
import JSON

/// Refuses operations whose fields nest deeper than the operator allows. Fragments do not count as a level.
enum DepthLimit {
    static func check(_ selectionSet: SelectionSet, in document: ExecutableDocument, max: Int) throws(GraphQLError) {
        var depths: [ByteText: Int] = [:]
        let depth = depth(of: selectionSet, in: document, &depths)
        guard depth <= max else {
            throw GraphQLError("The operation nests \(depth) fields deep; \(max) are allowed.")
        }
    }

    /// Validation has seen to it that fragments lead to no cycle and that nesting is bounded; each fragment is measured
    /// once.
    private static func depth(
        of selectionSet: SelectionSet, in document: ExecutableDocument, _ depths: inout [ByteText: Int]
    ) -> Int {
        var deepest = 0
        for selection in selectionSet {
            let depth: Int
            switch selection {
            case .field(let field): depth = 1 + Self.depth(of: field.selectionSet, in: document, &depths)
            case .inlineFragment(let fragment):
                depth = Self.depth(of: fragment.selectionSet, in: document, &depths)
            case .fragmentSpread(let spread):
                let name = spread.name.text
                if let known = depths[name] {
                    depth = known
                } else {
                    let fragment = document.fragments[name]?.selectionSet ?? []
                    depth = Self.depth(of: fragment, in: document, &depths)
                    depths[name] = depth
                }
            }
            deepest = Swift.max(deepest, depth)
        }
        return deepest
    }
}
