import type { JobName } from '#shared/jobs/jobs.ts';

/**
 * What a function uses besides the table. Its policy in the stack and the clients that are packed beside its bundle
 * come from here; what is not declared is refused there (test/infra/needs.test.ts compares this with the code).
 */
export type Needs = {
  /** The jobs whose queue it sends to. A worker that continues its work in a new message names its own. */
  sends?: readonly JobName[];
  /** It asks every queue for its state. */
  checksQueues?: boolean;
  /** `write` includes reading and removing, and what presigned and multipart uploads need. */
  bucket?: 'read' | 'write';
  /** It reads the key that signs access tokens. Only one function may. */
  signingKey?: boolean;
  /** It seals or opens what is stored encrypted (shared/crypto/seal.ts). */
  sealingKey?: boolean;
  /** It calls the provider of completions. */
  languageModel?: boolean;
};
