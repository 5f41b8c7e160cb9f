import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** One permission for all routes of an area: one per route would exceed the size of the function's policy. */
export function allowGateway(
  scope: Construct,
  id: string,
  { functionArn, callers }: { functionArn: string; callers: string },
): void {
  new CfnPermission(scope, id, {
    action: 'lambda:InvokeFunction',
    functionName: functionArn,
    principal: 'apigateway.amazonaws.com',
    sourceArn: callers,
  });
}
