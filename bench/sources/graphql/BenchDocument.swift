import Glibc

/// A document that the benchmark works on.
struct BenchDocument {
    let name: String
    let text: String
    /// Whether it describes a schema, and is not for executing.
    var isSchema = false

    static func all() throws -> [BenchDocument] {
        [
            BenchDocument(name: "list", text: amplifyList),
            BenchDocument(name: "introspection", text: standardIntrospection),
            BenchDocument(name: "sdl", text: schema(bytes: 200_000), isSchema: true),
        ]
    }

    /// Writes each document to a file of its name.
    static func write(to folder: String) throws {
        for document in try all() {
            guard let file = fopen("\(folder)/\(document.name).graphql", "w") else { throw WriteError(folder: folder) }
            defer { fclose(file) }
            let bytes = Array(document.text.utf8)
            guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw WriteError(folder: folder) }
        }
    }

    struct WriteError: Error {
        let folder: String
    }

    /// A list query as Amplify's code generator writes it, with relations down to the third level.
    static let amplifyList = """
        query ListPosts(
          $filter: ModelPostFilterInput
          $limit: Int
          $nextToken: String
        ) {
          listPosts(filter: $filter, limit: $limit, nextToken: $nextToken) {
            items {
              id
              title
              content
              status
              rating
              blog {
                id
                name
                owner
                posts {
                  items {
                    id
                    title
                    createdAt
                    updatedAt
                    blogPostsId
                    __typename
                  }
                  nextToken
                  __typename
                }
                createdAt
                updatedAt
                __typename
              }
              comments {
                items {
                  id
                  content
                  author {
                    id
                    email
                    displayName
                    createdAt
                    updatedAt
                    __typename
                  }
                  createdAt
                  updatedAt
                  postCommentsId
                  __typename
                }
                nextToken
                __typename
              }
              tags {
                items {
                  id
                  postId
                  tagId
                  createdAt
                  updatedAt
                  __typename
                }
                nextToken
                __typename
              }
              createdAt
              updatedAt
              blogPostsId
              __typename
            }
            nextToken
            __typename
          }
        }

        """

    /// What graphql-js's `getIntrospectionQuery()` asks.
    static let standardIntrospection = """

            query IntrospectionQuery {
              __schema {
                
                queryType { name }
                mutationType { name }
                subscriptionType { name }
                types {
                  ...FullType
                }
                directives {
                  name
                  description
                  
                  locations
                  args {
                    ...InputValue
                  }
                }
              }
            }

            fragment FullType on __Type {
              kind
              name
              description
              
              fields(includeDeprecated: true) {
                name
                description
                args {
                  ...InputValue
                }
                type {
                  ...TypeRef
                }
                isDeprecated
                deprecationReason
              }
              inputFields {
                ...InputValue
              }
              interfaces {
                ...TypeRef
              }
              enumValues(includeDeprecated: true) {
                name
                description
                isDeprecated
                deprecationReason
              }
              possibleTypes {
                ...TypeRef
              }
            }

            fragment InputValue on __InputValue {
              name
              description
              type { ...TypeRef }
              defaultValue
              
              
            }

            fragment TypeRef on __Type {
              kind
              name
              ofType {
                kind
                name
                ofType {
                  kind
                  name
                  ofType {
                    kind
                    name
                    ofType {
                      kind
                      name
                      ofType {
                        kind
                        name
                        ofType {
                          kind
                          name
                          ofType {
                            kind
                            name
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          
        """
}
