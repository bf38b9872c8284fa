import GraphQL
import JSON

/// The description of an app's models that its client loads (`data.model_introspection` of `amplify_outputs.json`): Amplify's
/// JavaScript client makes the documents of `client.models` from it.
///
///     collect    the types of the schema as drafts: models with key and timestamps    IntrospectionDraft
///     keys       @primaryKey and @index become attributes of their models             IntrospectionDraft+Keys
///     joins      @manyToMany gives models of its own                                   IntrospectionDraft+Joins
///     relations  what each leads to, and the key fields that it adds                   IntrospectionDraft+Relations
///     rules      @auth with its defaults filled in                                     IntrospectionRules
///     write      the drafts as JSON                                                    ModelIntrospectionWriter
///
/// It is made of the schema's document rather than of the blueprint, because attributes repeat the directives as they are
/// written. The steps and their order are those of Amplify's generator, whatever version of the transformer the schema is for:
/// a later relation sees the fields that an earlier one added.
package enum ModelIntrospection {
    /// - Parameter document: a schema that its reader has taken, in Amplify's SDL.
    package static func value(of document: Document, transformerVersion: Int = 2) -> JSONValue {
        var draft = IntrospectionDraft(document, transformerVersion: transformerVersion)
        if draft.isLegacy {
            draft.readVersion1Connections()
        } else {
            draft.readKeys()
            draft.makeJoins()
            draft.readRelations()
        }
        draft.completeRules()
        return ModelIntrospectionWriter(draft).value
    }
}
