import Blueprint
import Project

/// The modules of the CDK, which programs import by a path of their own or as members of the whole:
///
///     import { Function } from 'aws-cdk-lib/aws-lambda'
///     import { aws_lambda as lambda } from 'aws-cdk-lib'
///     import * as cdk from 'aws-cdk-lib'                   cdk.aws_lambda
enum CDKModules {
    static let whole = "aws-cdk-lib"
    private static let start = "aws_"

    /// The path of a member of the whole: `aws_lambda_nodejs` is `aws-cdk-lib/aws-lambda-nodejs`; nil: it is no module.
    static func part(_ name: String) -> String? {
        guard name.utf8.starts(with: start.utf8) else { return nil }
        let path = name.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        return "\(whole)/\(String(decoding: path, as: UTF8.self))"
    }
}
