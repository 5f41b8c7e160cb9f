import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Deployment } from './deployment.ts';
import { variables } from './environment.ts';

/** Settings and rights of the one function that sends letters. */
export type Mail = {
  environment: Record<string, string>;
  statements: PolicyStatement[];
  reasons: Record<string, string>;
};

/** Nothing without a sender. The verified identity may be the address or its domain, so the right names the sender instead. */
export function mailOf(stack: Stack, { mailFrom }: Deployment): Mail {
  if (mailFrom === undefined) return { environment: {}, statements: [], reasons: {} };
  const { partition, region, account } = Stack.of(stack);
  const send = new PolicyStatement({
    actions: ['ses:SendEmail', 'ses:SendRawEmail'],
    resources: [`arn:${partition}:ses:${region}:${account}:identity/*`],
    conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
  });
  const resource = `arn:<AWS::Partition>:ses:${region}:<AWS::AccountId>:identity/*`;
  return {
    environment: variables({ MAIL_FROM: mailFrom }),
    statements: [send],
    reasons: { [`AwsSolutions-IAM5[Resource::${resource}]`]: 'The condition names the only sender.' },
  };
}
