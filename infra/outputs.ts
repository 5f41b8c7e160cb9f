import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { FunctionEnvironment } from './environment.ts';

/** The stack's outputs and the settings that they carry, for commands on an operator's machine. */
export const settingOutputs = {
  TableName: 'TABLE_NAME',
  BucketName: 'BUCKET_NAME',
  QueueUrlPrefix: 'QUEUE_URL_PREFIX',
  TokenIssuer: 'TOKEN_ISSUER',
  SigningSecretName: 'SIGNING_SECRET',
  SealingSecretName: 'SEALING_SECRET',
  BillingSecretName: 'BILLING_SECRET',
  ChallengeSecretName: 'CHALLENGE_SECRET',
  BaseUrl: 'BASE_URL',
} as const satisfies Record<string, keyof FunctionEnvironment>;

export function addOutputs(
  stack: Stack,
  { environment, topic }: { environment: FunctionEnvironment; topic: ITopic },
): void {
  for (const [name, setting] of Object.entries(settingOutputs))
    new CfnOutput(stack, name, { value: environment[setting] });
  new CfnOutput(stack, 'AlarmTopicArn', { value: topic.topicArn });
}
