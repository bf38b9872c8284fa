import Blueprint
import Glibc
import GraphQL
import Network

/// A project's schema as it was read: the blueprint and the API, unless it is refused, and all that is to be said of it.
package struct ProjectSchema: Sendable {
    package let files: [String]
    /// Errors, warnings and notes, in the order in which the transformer would come to them.
    package let diagnostics: [Diagnostic]
    /// Nil when there are errors.
    package let api: APISchema?
    package let blueprint: Blueprint?

    /// All files of a schema together.
    private static let bytesMax = 4 << 20

    /// Finds the schema of a configuration, reads it, and makes its API.
    package static func read(_ resolution: ConfigurationResolver.Resolution) throws(SchemaError) -> ProjectSchema {
        let place = try SchemaPlace.find(resolution.configuration.schema)
        if let file = place.files.first(where: { $0.hasSuffix(".ts") }) {
            throw SchemaError(.notThereYet, "\(file): schemas in TypeScript are planned, but not there yet")
        }
        let settings = try ProjectSettings.settings(resolution, in: place.folder)
        var sources: [Source] = []
        var bytes = 0
        for file in place.files {
            let source = try Self.source(file, bytesMax: bytesMax - bytes)
            bytes += source.bytes.count
            sources.append(source)
        }
        return ProjectSchema(place.files, sources, settings)
    }

    private init(_ files: [String], _ sources: [Source], _ settings: Settings) {
        self.files = files
        let reading = SDLReader.read(sources, settings: settings)
        guard let blueprint = reading.blueprint else {
            (diagnostics, api, self.blueprint) = (reading.diagnostics, nil, nil)
            return
        }
        let (schema, more) = APISchema.generate(from: blueprint, sources: sources)
        diagnostics = reading.diagnostics + more
        let isRefused = diagnostics.contains(where: \.isError)
        api = isRefused ? nil : schema
        self.blueprint = isRefused ? nil : blueprint
    }

    private static func source(_ file: String, bytesMax: Int) throws(SchemaError) -> Source {
        do throws(SystemError) {
            return Source(try SmallFile.read(file, bytesMax: bytesMax), name: file)
        } catch {
            let reason =
                error.code == EFBIG
                ? "the schema has more than \(Self.bytesMax) bytes" : String(cString: strerror(error.code))
            throw SchemaError(.unreadableInput, "cannot read the schema \(file): \(reason)")
        }
    }
}
