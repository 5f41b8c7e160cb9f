import { CfnOutput } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Deployment } from './deployment.ts';
import type { Storage } from './storage.ts';

/** Settings and rights of the one function that calls the payment processor. */
export type Payments = { environment: Record<string, string>; statements: PolicyStatement[] };

/** Adds nothing where organizations buy no plans themselves. The secret is empty until an operator writes the key. */
export function addPayments(parent: Construct, { sellsPlans }: Deployment, { key }: Storage): Payments {
  if (!sellsPlans) return { environment: {}, statements: [] };
  const secret = new CfnSecret(new Construct(parent, 'Payments'), 'Key', {
    description: 'Restricted key of Stripe; written by an operator (docs/billing.md)',
    kmsKeyId: key.keyArn,
  });
  acknowledge(secret, {
    'AwsSolutions-SMG4': 'Stripe makes the key; an operator replaces it there and writes it here.',
  });
  new CfnOutput(parent, 'StripeSecretName', { value: secret.ref });
  return {
    environment: { STRIPE_SECRET: secret.ref },
    statements: [new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.ref] })],
  };
}
