import * as z from 'zod';
import { feeds } from '#shared/advisories/feeds.ts';
import { jobNames, jobs } from '#shared/platform/jobs/jobs.ts';
import { DottedVersion } from '#shared/platform/runtime/env.ts';
import { withoutTrailing } from '#shared/platform/runtime/texts.ts';

export const STAGES = ['production', 'staging', 'development'] as const;

/** The settings of a deployment that its file under infra/tenants/ holds (docs/operate.md). */
export const TenantSettings = z.strictObject({
  /** The AWS account. Without it the account of the credentials is used. */
  account: z
    .string()
    .regex(/^\d{12}$/, 'must be the twelve digits of an account')
    .optional(),
  /** The address that clients use, for a deployment with its own domain. */
  baseUrl: z
    .url({ protocol: /^https$/ })
    .transform((url) => withoutTrailing('/', url))
    .optional(),
  /**
   * The certificate, in the stack's region, for the domain of `baseUrl`. With it the domain is part of the stack, and
   * the API's own address no longer answers. With `webAclArn` the certificate is in us-east-1, where CloudFront looks
   * for it.
   */
  certificateArn: z
    .string()
    .regex(/^arn:[^:]+:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/, 'must be the ARN of a certificate of ACM')
    .optional(),
  /** The hosted zone of Route 53 that gets the domain's record. Elsewhere make a CNAME to the stack's output `DomainTarget`. */
  hostedZoneId: z
    .string()
    .regex(/^Z[A-Z0-9]+$/, 'must be the id of a hosted zone')
    .optional(),
  /**
   * A web ACL of WAF for CloudFront, which then is in front of the API (docs/operate.md). Such ACLs exist only in
   * us-east-1.
   */
  webAclArn: z
    .string()
    .regex(
      /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/,
      'must be the ARN of a web ACL of WAF, of the scope CLOUDFRONT',
    )
    .optional(),
  /** Whether the console is at the address of the service: CloudFront then is in front of both (docs/operate.md). */
  console: z.boolean().default(false),
  /** The address that receives alarms. */
  alarmEmail: z.email().optional(),
  /** The sender of letters to people: an address or domain that Amazon SES has verified in this region (docs/operate.md). */
  mailFrom: z.email().optional(),
  /** The origins of a console in browsers that may call the API and use presigned addresses of the bucket. */
  consoleOrigins: z
    .array(
      z
        .string()
        .regex(/^https:\/\/[a-z0-9.-]{1,253}(:\d{1,5})?$/, 'must be an origin such as https://console.acme.example'),
    )
    .default([]),
  /**
   * Executions that are kept free for a worker, by its job. Other functions cannot take them, and it cannot take more:
   * at least as many as messages that it works at once.
   */
  reservedConcurrency: z
    .partialRecord(z.enum(jobNames), z.number().int().positive())
    .superRefine((reserved, { addIssue }) => {
      for (const name of jobNames) {
        const { concurrency } = jobs[name];
        if ((reserved[name] ?? concurrency) < concurrency)
          addIssue({ code: 'custom', path: [name], message: `must be at least ${concurrency}` });
      }
    })
    .default({}),
  /** Another region that gets a copy a day of table and bucket, through AWS Backup (docs/restore.md). */
  copyRegion: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as eu-west-1')
    .optional(),
  /**
   * A release first gets a tenth of the requests for this time, and rolls back when an alarm of the API goes off
   * (docs/operate.md).
   */
  canary: z.enum(['5 minutes', '10 minutes', '30 minutes']).optional(),
  /** After a restore the functions use this table instead of the stack's own (docs/restore.md). */
  restoredTable: z.string().min(3).optional(),
  /**
   * The provider of completions (docs/operate.md). Without a model there are no completions. With a base URL the
   * provider is the server there, which must speak OpenAI's chat completions; otherwise it is Amazon Bedrock in the
   * stack's region.
   */
  llmModel: z.string().min(1).optional(),
  llmModelFast: z.string().min(1).optional(),
  llmModelStrong: z.string().min(1).optional(),
  llmBaseUrl: z.url({ protocol: /^https$/ }).optional(),
  /** Administrators of organizations buy and change plans themselves, on pages of Stripe (docs/billing.md). */
  sellsPlans: z.boolean().default(false),
  /** The site key of a widget of Cloudflare Turnstile, which then makes the bot challenges (docs/operate.md). */
  turnstileSiteKey: z.string().min(1).max(100).optional(),
  /** The recommended version of scanner software, and the oldest version that still gets tasks (docs/operate.md). */
  scannerRecommendedVersion: DottedVersion.optional(),
  scannerMinimumVersion: DottedVersion.optional(),
  /** Addresses of the feeds about vulnerabilities: the publishers' own, or a mirror's (docs/operate.md). */
  epssFeedUrl: z.url({ protocol: /^https$/ }).default(feeds.epss.address),
  kevFeedUrl: z.url({ protocol: /^https$/ }).default(feeds.kev.address),
  nvdFeedUrl: z.url({ protocol: /^https$/ }).default(feeds.nvd.address),
  osvFeedUrl: z.url({ protocol: /^https$/ }).default(feeds.osv.address),
  /**
   * Write units per second that the table takes from its first moment; a new table takes 4,000 without this setting
   * (docs/operate.md). Only writes: imports use far less than the 12,000 read units of a new table.
   */
  warmWriteUnits: z.number().int().min(4000, 'must be at least 4000, which every table takes').optional(),
  /** Requests per second, and in a burst, that the whole API takes before it answers 429. */
  requestsPerSecond: z.number().positive().default(500),
  requestBurst: z.number().int().positive().default(1000),
  logDays: z
    .number()
    .refine((days) => [7, 14, 30, 60, 90, 180, 365].includes(days), 'must be one of 7, 14, 30, 60, 90, 180, 365')
    .default(30),
});

/**
 * One stack: the settings of its file, and the facts in the file's name. Only a development stack can be destroyed with
 * its data.
 */
export type Deployment = z.infer<typeof TenantSettings> & {
  tenant: string;
  stage: (typeof STAGES)[number];
  region: string;
  /** A first step towards `canary` in a running stack: the aliases are made, and the API does not call them yet. */
  makesAliases?: true;
  /** A first step of a release that moves functions to another stack: these functions are left out, because the names of both would be the same. */
  leavesOut?: readonly string[];
};

/** The start of physical names. Queue URLs and function ARNs are formed from it without a reference. */
export const namePrefix = ({ tenant, stage }: Deployment): string => `exposure-${tenant}-${stage}-`;

export const stackName = ({ tenant, stage }: Deployment): string => `exposure-${tenant}-${stage}`;
