import Foundation
import JSON
import TestSupport
import Testing

/// Files that the roles of identities are given in `backend.ts`, beside what `defineStorage` says.
@Suite("Files that identities are given by policies")
struct IdentityRoleFileTests {
    private static let project = [
        "amplify/auth/resource.ts": """
        import { defineAuth } from '@aws-amplify/backend';
        export const auth = defineAuth({ loginWith: { email: true } });
        """,
        "amplify/storage/resource.ts": """
        import { defineStorage } from '@aws-amplify/backend';
        export const files = defineStorage({ name: 'media', access: (allow) => ({ 'open/*': [allow.guest.to(['read'])] }) });
        """,
        "amplify/backend.ts": """
        import { defineBackend } from '@aws-amplify/backend';
        import { Effect, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
        import { auth } from './auth/resource';
        import { files } from './storage/resource';
        const backend = defineBackend({ auth, files });
        const { authenticatedUserIamRole, unauthenticatedUserIamRole } = backend.auth.resources;
        backend.auth.resources.cfnResources.cfnUserPoolClient.explicitAuthFlows = ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];
        const { bucket } = backend.files.resources;
        unauthenticatedUserIamRole.attachInlinePolicy(new Policy(backend.stack, 'guests', { statements: [
          new PolicyStatement({ effect: Effect.ALLOW, actions: ['s3:GetObject'], resources: [`${bucket.bucketArn}/public/*`] }),
          new PolicyStatement({
            effect: Effect.ALLOW, actions: ['s3:ListBucket'], resources: [bucket.bucketArn, `${bucket.bucketArn}/*`],
            conditions: { StringLike: { 's3:prefix': ['public/', 'public/*'] } },
          }),
        ] }));
        authenticatedUserIamRole.addToPrincipalPolicy(new PolicyStatement({
          actions: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject'],
          resources: [`${bucket.bucketArn}/public/*`, `${bucket.bucketArn}/private/\\${cognito-identity.amazonaws.com:sub}/*`],
        }));
        """,
    ]

    @Test("each role does what its policies say, a user's own folder is theirs alone, and all else is denied")
    func roles() throws {
        let folder = TemporaryFolder()
        for (name, text) in Self.project { try folder.write(text, to: name) }
        let server = try HomeportProcess(environment: IdentityClient.environment, schema: nil, in: folder)
        #expect(!server.log.contains("does not hold here"), "\(server.log)")
        let outputs = try JSONReader.value(of: folder.read("amplify_outputs.json"))
        let bucket = try #require(outputs["storage"]?["bucket_name"]?.string)
        let client = IdentityClient(server: server)
        func keys(of name: String) throws -> IdentityClient.Keys {
            try client.keys(idToken: try client.idToken(of: "\(name)@example.com", email: "\(name)@example.com"))
        }
        let (ann, bob, nobody) = (try keys(of: "ann"), try keys(of: "bob"), try client.keys())
        let calls = try [ann, bob, nobody].map { try SignedFileCall(server, as: $0) }
        let own = "private/\(SignedFileCall.escaped(ann.identity))"
        let rows: [(who: Int, method: String, path: String, status: Int)] = [
            (0, "PUT", "public/a", 200), (0, "PUT", "\(own)/a", 200), (0, "GET", "\(own)/a", 200),
            (0, "PUT", "open/a", 403), (0, "PUT", "private/a", 403), (0, "GET", "?list-type=2&prefix=public%2F", 403),
            (1, "GET", "public/a", 200), (1, "GET", "\(own)/a", 403), (1, "PUT", "\(own)/a", 403),
            (1, "DELETE", "\(own)/a", 403), (2, "GET", "public/a", 200), (2, "PUT", "public/a", 403),
            (2, "GET", "\(own)/a", 403), (2, "DELETE", "public/a", 403),
            (2, "GET", "?list-type=2&prefix=public%2F", 200), (2, "GET", "?list-type=2&prefix=private%2F", 403),
            (2, "GET", "?list-type=2", 403), (2, "GET", "open/a", 404), (0, "DELETE", "\(own)/a", 204),
        ]
        for row in rows {
            let path = row.path.hasPrefix("?") ? "/\(bucket)\(row.path)" : "/\(bucket)/\(row.path)"
            let answer = try calls[row.who].call(row.method, path, body: row.method == "PUT" ? Array("a".utf8) : [])
            let text = String(decoding: answer.bytes, as: UTF8.self)
            #expect(answer.status == row.status, "\(row) \(text) \(server.log)")
        }
    }
}
