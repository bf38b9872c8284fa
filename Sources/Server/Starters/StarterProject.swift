/// A small project to begin with, as its files.
enum StarterProject: String, CaseIterable {
    case todo
    case blog
    case gen2

    var files: [(name: String, text: String)] {
        switch self {
        case .todo: [("schema.graphql", Self.todoSchema)]
        case .blog: [("schema.graphql", Self.blogSchema)]
        case .gen2:
            [
                ("amplify/backend.ts", Self.backend), ("amplify/auth/resource.ts", Self.auth),
                ("amplify/data/resource.ts", Self.data), ("amplify/package.json", "{\n  \"type\": \"module\"\n}\n"),
            ]
        }
    }

    private static let todoSchema = """
        # Everybody may do everything: good for trying. Other rules stand in `allow`: owner, private, groups.
        type Todo @model @auth(rules: [{ allow: public }]) {
          id: ID!
          text: String!
          isDone: Boolean
        }

        """

    private static let blogSchema = """
        # Everybody reads; people who are signed in write; a post is its author's.
        type Post
          @model
          @auth(rules: [
            { allow: public, operations: [read] }
            { allow: owner, ownerField: "author" }
            { allow: groups, groups: ["Moderators"] }
          ]) {
          id: ID!
          # Whoever creates a post is its author, and stays it: the rules of a field go over those of its model.
          author: String
            @auth(rules: [
              { allow: public, operations: [read] }
              { allow: owner, ownerField: "author", operations: [read, create, delete] }
              { allow: groups, groups: ["Moderators"] }
            ])
          title: String!
          content: String!
          status: PostStatus! @index(name: "byStatus", sortKeyFields: ["createdAt"], queryField: "postsByStatus")
          createdAt: AWSDateTime!
          comments: [Comment] @hasMany(indexName: "byPost", fields: ["id"])
        }

        enum PostStatus {
          DRAFT
          PUBLISHED
        }

        type Comment
          @model
          @auth(rules: [
            { allow: public, operations: [read] }
            { allow: owner }
            { allow: groups, groups: ["Moderators"], operations: [read, delete] }
          ]) {
          id: ID!
          owner: String
            @auth(rules: [
              { allow: public, operations: [read] }
              { allow: owner, operations: [read, create, delete] }
              { allow: groups, groups: ["Moderators"], operations: [read, delete] }
            ])
          content: String!
          postID: ID! @index(name: "byPost", sortKeyFields: ["createdAt"])
          createdAt: AWSDateTime!
          post: Post @belongsTo(fields: ["postID"])
        }

        """

    private static let backend = """
        import { defineBackend } from '@aws-amplify/backend';
        import { auth } from './auth/resource';
        import { data } from './data/resource';

        defineBackend({ auth, data });

        """

    private static let auth = """
        import { defineAuth } from '@aws-amplify/backend';

        export const auth = defineAuth({
          loginWith: { email: true },
          groups: ['Admins'],
        });

        """

    private static let data = """
        import { a, defineData, type ClientSchema } from '@aws-amplify/backend';

        const schema = a.schema({
          Todo: a
            .model({
              text: a.string().required(),
              isDone: a.boolean().default(false),
              // Whoever creates a todo is its owner, and stays it.
              owner: a
                .string()
                .authorization((allow) => [
                  allow.owner().to(['read', 'create', 'delete']),
                  allow.group('Admins').to(['read']),
                ]),
            })
            .authorization((allow) => [allow.owner(), allow.group('Admins').to(['read'])]),
        });

        export type Schema = ClientSchema<typeof schema>;

        export const data = defineData({
          schema,
          authorizationModes: { defaultAuthorizationMode: 'userPool' },
        });

        """
}
