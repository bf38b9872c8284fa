import JSON
import Testing

@testable import Blueprint

/// What `amplify/backend.ts` says by parts of the CDK that are known before a deployment.
@Suite("Known values of a Gen 2 project")
struct DeployedValueTests {
    private static func read(_ lines: String, triggers: String = "") -> AuthReading {
        AuthReading.read(
            "amplify",
            in: ProgramSurroundings([
                "amplify/auth/resource.ts": """
                import { defineAuth } from '@aws-amplify/backend';
                import { first } from '../fn/resource';
                export const auth = defineAuth({ loginWith: { email: true }\(triggers) });
                """,
                "amplify/data/resource.ts": """
                import { a, defineData } from '@aws-amplify/backend';
                export const data = defineData({ schema: a.schema({ Todo: a.model({ x: a.string() }) }) });
                """,
                "amplify/fn/resource.ts": """
                import { defineFunction } from '@aws-amplify/backend';
                export const first = defineFunction({ name: 'first' });
                export const second = defineFunction({ name: 'second' });
                """,
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend';
                import * as cdk from 'aws-cdk-lib';
                import { CfnOutput, Fn, Stack, ArnFormat } from 'aws-cdk-lib';
                import { UserPoolOperation } from 'aws-cdk-lib/aws-cognito';
                import { Function } from 'aws-cdk-lib/aws-lambda';
                import { Bucket } from 'aws-cdk-lib/aws-s3';
                import { auth } from './auth/resource';
                import { data } from './data/resource';
                import { first, second } from './fn/resource';
                const backend = defineBackend({ auth, data, first, second });
                const stack = backend.createStack('own');
                const pool = backend.auth.resources.userPool;
                const { cfnUserPool } = backend.auth.resources.cfnResources;
                const fn = backend.second.resources.lambda;
                \(lines)
                """,
            ]))
    }

    @Test(
        "functions that it adds to the pool are triggers like those of defineAuth",
        arguments: [
            (
                "pool.addTrigger(UserPoolOperation.POST_CONFIRMATION, fn);",
                "preSignUp: first, postConfirmation: second"
            ),
            (
                "pool.addTrigger(UserPoolOperation.PRE_SIGN_UP, fn);", "preSignUp: second"
            ),
            (
                "pool.addTrigger(UserPoolOperation.of('verifyAuthChallengeResponse'), fn);",
                "preSignUp: first, verifyAuthChallengeResponse: second"
            ),
            (
                "pool.addTrigger(UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG, fn);",
                "preSignUp: first, preTokenGeneration: second"
            ),
            // What takes the place of all has all.
            ("cfnUserPool.lambdaConfig = { postConfirmation: fn.functionArn };", "postConfirmation: second"),
            (
                "cfnUserPool.lambdaConfig = { preTokenGenerationConfig: { lambdaArn: fn.functionArn, lambdaVersion: 'V2_0' } };",
                "preTokenGeneration: second"
            ),
            (
                "cfnUserPool.addPropertyOverride('LambdaConfig.PostConfirmation', fn.functionArn);",
                "preSignUp: first, postConfirmation: second"
            ),
        ])
    func triggers(line: String, triggers: String) {
        let reading = Self.read(line, triggers: ", triggers: { preSignUp: first }")
        let told = (reading.auth?.triggers ?? []).map { "\($0.event.rawValue): \($0.function.givenName ?? "?")" }
        #expect(told.joined(separator: ", ") == triggers)
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
    }

    @Test(
        "a trigger that is nowhere here is told",
        arguments: [
            (
                "pool.addTrigger(UserPoolOperation.POST_CONFIRMATION, Function.fromFunctionName(stack, 'x', 'y'));",
                "a function elsewhere as the trigger postConfirmation"
            ),
            (
                "cfnUserPool.lambdaConfig = { postConfirmation: 'arn:aws:lambda:us-east-1:123456789012:function:x' };",
                "a function elsewhere as the trigger postConfirmation"
            ),
            (
                "pool.addTrigger(UserPoolOperation.CUSTOM_EMAIL_SENDER, fn);",
                "a function that sends messages as the trigger customEmailSender"
            ),
        ])
    func triggersElsewhere(line: String, message: String) {
        let reading = Self.read(line)
        #expect(reading.auth?.triggers.isEmpty == true)
        #expect(
            reading.diagnostics.contains { $0.message.contains(message) },
            "\(reading.diagnostics)")
    }
}
