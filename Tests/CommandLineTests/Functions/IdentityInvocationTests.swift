import Foundation
import JSON
import TestSupport
import Testing

/// Functions that apps call by Lambda's own API, with keys of the identity pool.
@Suite("Functions that identities of the pool call")
struct IdentityInvocationTests {
    private static let node = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].first {
        FileManager.default.isExecutableFile(atPath: "\($0)/node")
    }

    private static let project = [
        "amplify/auth/resource.ts": """
        import { defineAuth } from '@aws-amplify/backend';
        export const auth = defineAuth({ loginWith: { email: true } });
        """,
        "amplify/fn/resource.ts": """
        import { defineFunction } from '@aws-amplify/backend';
        export const users = defineFunction({ name: 'users', entry: './handler.mjs', timeoutSeconds: 60 });
        export const guests = defineFunction({ name: 'guests', entry: './handler.mjs', timeoutSeconds: 60 });
        export const nobody = defineFunction({ name: 'nobody', entry: './handler.mjs' });
        """,
        "amplify/fn/handler.mjs": "export const handler = async (event) => ({ got: event.a });",
        "amplify/backend.ts": """
        import { defineBackend } from '@aws-amplify/backend';
        import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
        import { auth } from './auth/resource';
        import { users, guests, nobody } from './fn/resource';
        const backend = defineBackend({ auth, users, guests, nobody });
        const { authenticatedUserIamRole, unauthenticatedUserIamRole } = backend.auth.resources;
        backend.auth.resources.cfnResources.cfnUserPoolClient.explicitAuthFlows = ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];
        backend.users.resources.lambda.grantInvoke(authenticatedUserIamRole);
        unauthenticatedUserIamRole.addToPrincipalPolicy(new PolicyStatement({
          actions: ['lambda:InvokeFunction'], resources: [backend.guests.resources.lambda.functionArn],
        }));
        """,
    ]

    @Test(
        "each role calls what the project gives it, and is refused all else by its name",
        .enabled(if: node != nil, "there is no node on this machine"))
    func roles() throws {
        let folder = TemporaryFolder()
        for (name, text) in Self.project { try folder.write(text, to: name) }
        let server = try HomeportProcess(environment: IdentityClient.environment, schema: nil, in: folder)
        let client = IdentityClient(server: server)
        let guest = try client.keys()
        let user = try client.keys(idToken: try client.idToken(of: "ann@example.com", email: "ann@example.com"))
        let rows: [(name: String, keys: IdentityClient.Keys, function: String, isAllowed: Bool)] = [
            ("a user", user, "users", true), ("a user", user, "guests", false), ("a user", user, "nobody", false),
            ("a guest", guest, "guests", true), ("a guest", guest, "users", false), ("a guest", guest, "none", false),
        ]
        func invoke(_ function: String, _ keys: IdentityClient.Keys) throws -> (head: AnswerHead, body: String) {
            try client.answer(
                to: #"{"a":1}"#, at: "/2015-03-31/functions/\(function)/invocations", of: "lambda", signedWith: keys)
        }
        for row in rows {
            let answer = try invoke(row.function, row.keys)
            #expect(answer.head.status == (row.isAllowed ? 200 : 403), "\(row.name) \(row.function): \(answer)")
            if row.isAllowed {
                #expect(answer.body == #"{"got":1}"#)
            } else {
                #expect(answer.head.fields["x-amzn-errortype"] == "AccessDeniedException", "\(answer)")
                #expect(answer.body.contains("is not authorized to perform: lambda:InvokeFunction"))
            }
        }
        var wrong = user
        wrong.secret += "x"
        #expect(try invoke("users", wrong).head.status == 403)
        wrong = user
        wrong.sessionToken = nil
        #expect(try invoke("users", wrong).head.fields["x-amzn-errortype"] == "UnrecognizedClientException")
        // Keys of identities tell nothing of functions.
        let list = try client.answer(to: "", at: "/2015-03-31/functions/users", of: "lambda", signedWith: user)
        #expect(list.head.status != 200)
    }
}
