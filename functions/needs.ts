import type { JobName } from '#shared/platform/jobs/jobs.ts';

/**
 * The resources that a function uses besides the table. Its policy in the stack and the AWS clients beside its bundle
 * are made from these; the policy refuses everything else (test/infra/bundles.test.ts compares them with the code).
 */
export type Needs = {
  /** The jobs to whose queues the function sends. A worker that continues in a new message names its own job. */
  sends?: readonly JobName[];
  /** Asks every queue for its state. */
  checksQueues?: boolean;
  /** `write` includes reading, removing, and presigned and multipart uploads. */
  bucket?: 'read' | 'write';
  /** Reads the whole table: to remove an organization, and to prove that nothing of it is left. */
  scansTable?: boolean;
  /** The key that signs access tokens: one function reads it to sign, and one replaces it on a schedule. */
  signingKey?: 'sign' | 'rotate';
  /** Seals or opens encrypted values (shared/platform/crypto/seal.ts). */
  sealingKey?: boolean;
  /** Reads the secret with which the payment processor signs its events. */
  billingSecret?: boolean;
  /** Calls the payment processor, with its key. */
  payments?: boolean;
  /** Makes and judges bot challenges, with their secret; calls the provider of challenges. */
  challenges?: boolean;
  /** Answers requests, and reads the secret that CloudFront adds to them where it is before the API. */
  originSecret?: boolean;
  /** Reads the feeds about vulnerabilities from the internet. */
  feeds?: boolean;
  /** Sends e-mail through Amazon SES. */
  mail?: boolean;
  /** Calls the provider of completions. */
  languageModel?: boolean;
};
