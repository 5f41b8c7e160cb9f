import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';

/** The context that Lambda gives to a function, with a real remaining time. */
export function lambdaContext(functionName: string, timeoutSeconds: number): Context {
  const deadline = Date.now() + timeoutSeconds * 1_000;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '512',
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    // The type still requires the callbacks of old Node releases.
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}
