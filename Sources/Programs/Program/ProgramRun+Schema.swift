import Blueprint
import GraphQL
import JSON
import Project
import Script

/// The findings of a project's one run about the schema, beside all else.
struct ProgramSchema {
    /// The file of the schema, as people name it.
    let file: String
    /// The program that calls `defineBackend`; nil: the program is the schema's own file.
    let backend: String?
    /// Nil: the program has not come to it.
    @Boxed var schema: TypeScriptSchema? = nil
    /// True if the program did something of which a run for the schema alone would make an error. Such a run then says what is wrong.
    var isDoubtful = false
}

/// The schema is read where `defineBackend` is called: all that the program did before counts, and nothing that comes after.
extension ProgramRun {
    /// True if what the program does may still make the schema another one.
    var isBeforeSchema: Bool { schema.map { $0.schema == nil && !$0.isDoubtful } ?? false }

    func doubtSchema() {
        if isBeforeSchema { schema?.isDoubtful = true }
    }

    /// The same where a package is given something of the program that it could call or change.
    func doubtSchema(byCall function: OpaqueObject, _ arguments: [ProgramValue], in realm: Realm) {
        guard isBeforeSchema else { return }
        do throws(Thrown) { try refuse(call: function, arguments, in: realm) } catch { doubtSchema() }
    }

    /// Reads the data that `defineBackend` is given.
    func readSchema(among resources: ProgramValue, _ realm: Realm) {
        guard let backend = schema?.backend else { return }
        readSchema(realm) { (file) throws(Thrown) in
            switch try data(among: resources, realm) {
            case .failure(let error): .failure(error)
            case .success(nil): .success(TypeScriptSchema(leftOutBy: backend, file, files.sources))
            case .success(let options?): schemaOrError(file, options)
            }
        }
    }

    /// Reads the data that the schema's own file exports.
    func readSchema(of namespace: ProgramObject, _ realm: Realm) {
        guard let schema, schema.backend == nil else { return }
        readSchema(realm) { (file) throws(Thrown) in
            try found(in: namespace, realm).flatMap { schemaOrError(file, $0) }
        }
    }

    private func schemaOrError(_ file: String, _ options: DataOptions) -> Result<TypeScriptSchema, TypeScriptError> {
        Result { () throws(TypeScriptError) in
            try TypeScriptSchema(file, options, files, warnings: warnings(in: files))
        }
    }

    private func readSchema(
        _ realm: Realm, _ read: (String) throws(Thrown) -> Result<TypeScriptSchema, TypeScriptError>
    ) {
        guard isBeforeSchema, let file = schema?.file else { return }
        isReadingSchema = true
        defer { isReadingSchema = false }
        let result: Result<TypeScriptSchema, TypeScriptError>
        do throws(Thrown) { result = try read(file) } catch {
            result = .failure(self.error(realm.scriptError(error, file: main.file)))
        }
        // Something that only a run for the schema alone refuses may have come up on the way.
        guard isBeforeSchema else { return }
        switch result {
        case .success(let found): schema?.schema = found
        case .failure(let error): schema?.schema = TypeScriptSchema(refused: error, files.sources, file)
        }
    }
}
