import Blueprint
import GraphQL

/// Types that Amplify's transformer lets pass and AppSync refuses when they are deployed: scalars of one's own, and names that
/// begin as those of its own scalars do.
struct TypeNameNotices {
    let diagnostics: [Diagnostic]

    init(_ blueprint: Blueprint, in schema: ProjectSchema) {
        var found: [Diagnostic] = []
        func warn(_ message: String, _ hint: String, at position: Position) {
            found.append(.warning(message, at: position, in: schema.reading.sources, hint: hint))
        }
        for type in blueprint.types where type.kind == .scalar {
            warn(
                "AppSync refuses the scalar \(type.name): it knows none but its own",
                "Use one of its own, such as AWSDate, AWSDateTime, AWSJSON or String.", at: type.position)
        }
        let names =
            blueprint.models.map { ($0.name, $0.position) }
            + blueprint.types.filter { $0.kind != .scalar }.map { ($0.name, $0.position) }
        for (name, position) in names where name.hasPrefix("AWS") {
            warn(
                "AppSync refuses the type \(name): names that begin with AWS are its own", "Give it another name.",
                at: position)
        }
        diagnostics = found
    }
}
