import type { Node } from 'constructs';
import * as z from 'zod';
import { DottedVersion } from '#shared/runtime/env.ts';

/** What differs between deployments: one stack per tenant, stage and region (`cdk deploy -c tenant=acme ...`). */
export const Deployment = z.object({
  tenant: z
    .string()
    .regex(/^[a-z][a-z0-9]{1,15}$/, 'two to 16 lower-case letters and digits')
    .default('main'),
  /** Only a development stack can be destroyed together with its data. */
  stage: z.enum(['production', 'staging', 'development']).default('production'),
  account: z
    .string()
    .regex(/^\d{12}$/)
    .optional(),
  /** Without a region (and account) the template fits any: CloudFormation fills them in. */
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/)
    .optional(),
  /** The address that clients use, when a domain of one's own stands before the API. */
  baseUrl: z
    .url({ protocol: /^https$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Who hears of alarms. */
  alarmEmail: z.email().optional(),
  /** The functions work on this table instead of the stack's own: after a restore (docs/operate.md). */
  restoredTable: z.string().min(3).optional(),
  /**
   * Who answers completions (docs/operate.md): without a model nobody; with a base URL the server there, which speaks
   * OpenAI's chat completions; otherwise Amazon Bedrock in the stack's region.
   */
  llmModel: z.string().min(1).optional(),
  llmModelFast: z.string().min(1).optional(),
  llmModelStrong: z.string().min(1).optional(),
  llmBaseUrl: z.url({ protocol: /^https$/ }).optional(),
  /** The version of the scanners' software that is wanted, and the oldest that still gets tasks (docs/operate.md). */
  scannerRecommendedVersion: DottedVersion.optional(),
  scannerMinimumVersion: DottedVersion.optional(),
  /** Requests a second, and at once, that the whole API takes before it answers 429. */
  requestsPerSecond: z.coerce.number().positive().default(500),
  requestBurst: z.coerce.number().int().positive().default(1000),
  logDays: z.coerce
    .number()
    .refine((days) => [7, 14, 30, 60, 90, 180, 365].includes(days), 'one of 7, 14, 30, 60, 90, 180, 365')
    .default(30),
});
export type Deployment = z.infer<typeof Deployment>;

export function readDeployment(node: Node): Deployment {
  const given = Object.keys(Deployment.shape).map((name) => [name, node.tryGetContext(name)]);
  return Deployment.parse({
    account: process.env.CDK_DEFAULT_ACCOUNT,
    region: process.env.CDK_DEFAULT_REGION,
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  });
}

/** Physical names start with this; queue URLs and function ARNs are known from it without a reference. */
export const namePrefix = ({ tenant, stage }: Deployment): string => `exposure-${tenant}-${stage}-`;

export const stackName = ({ tenant, stage }: Deployment): string => `exposure-${tenant}-${stage}`;
