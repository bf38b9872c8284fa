extension BenchDocument {
    /// A schema as the transformer makes it, of at least that many bytes, which the list query is valid in.
    static func schema(bytes: Int) -> String {
        var text = """
            type Query {
              getPost(id: ID!): Post @aws_api_key
              listPosts(filter: ModelPostFilterInput, limit: Int, nextToken: String): ModelPostConnection @aws_api_key
            }

            enum PostStatus {
              DRAFT
              PUBLISHED
            }

            \(model("Post", "title: String!\n  content: String\n  status: PostStatus\n  rating: Int\n  blogPostsId: ID\n  blog: Blog\n  comments(filter: ModelCommentFilterInput, limit: Int, nextToken: String): ModelCommentConnection\n  tags(filter: ModelPostTagFilterInput, limit: Int, nextToken: String): ModelPostTagConnection"))
            \(model("Blog", "name: String!\n  owner: String\n  posts(filter: ModelPostFilterInput, limit: Int, nextToken: String): ModelPostConnection"))
            \(model("Comment", "content: String\n  author: Author\n  postCommentsId: ID"))
            \(model("Author", "email: AWSEmail\n  displayName: String"))
            \(model("PostTag", "postId: ID!\n  tagId: ID!"))
            \(scalarInputs)
            """
        var number = 0
        while text.utf8.count < bytes {
            number += 1
            text += model(
                "Thing\(number)",
                "label: String @deprecated(reason: \"Use name\")\n  count: Int\n  when: AWSDateTime\n  data: AWSJSON")
        }
        return text
    }

    private static func model(_ name: String, _ fields: String) -> String {
        """

        "\""
        One \(name), with everything that it needs.
        "\""
        type \(name) @aws_api_key @aws_cognito_user_pools(cognito_groups: ["Admin", "Editors"]) {
          id: ID!
          \(fields)
          createdAt: AWSDateTime!
          updatedAt: AWSDateTime!
        }

        type Model\(name)Connection @aws_api_key {
          items: [\(name)]!
          nextToken: String
        }

        input Model\(name)FilterInput {
          id: ModelIDInput
          name: ModelStringInput
          count: ModelIntInput
          createdAt: ModelStringInput
          updatedAt: ModelStringInput
          and: [Model\(name)FilterInput]
          or: [Model\(name)FilterInput]
          not: Model\(name)FilterInput
        }

        input Create\(name)Input {
          id: ID
          label: String = "none"
          count: Int = 0
          tags: [String!] = []
        }

        """
    }

    private static let scalarInputs = """

        input ModelIDInput {
          ne: ID
          eq: ID
          beginsWith: ID
          between: [ID]
        }

        input ModelStringInput {
          ne: String
          eq: String
          contains: String
          between: [String]
        }

        input ModelIntInput {
          ne: Int
          eq: Int
          between: [Int]
        }

        """
}
