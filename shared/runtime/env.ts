import * as z from 'zod';

/** A version of machines' software, as a deployment declares it. */
export const DottedVersion = z.string().regex(/^\d{1,9}(\.\d{1,9}){0,3}$/, 'one to four numbers with dots between');

/** Environment variables of every function: the stack sets them from here, the runtime reads them through here. */
export const Settings = z.object({
  TABLE_NAME: z.string().min(3),
  BUCKET_NAME: z.string().min(3),
  /** Queue URLs are `<prefix><queue name>`. */
  QUEUE_URL_PREFIX: z.string(),
  /** Issuer and audience of access tokens: one deployment's tokens are worth nothing at another. */
  TOKEN_ISSUER: z.string().min(1),
  /** The name of the secret that holds the signing key. */
  SIGNING_SECRET: z.string().min(1),
  /** The name of the secret that holds the keys for what is stored sealed (prompts, credentials of scans). */
  SEALING_SECRET: z.string().min(1),
  /** Base URL under which clients reach the service. */
  BASE_URL: z.string(),
  /**
   * The version of the scanners' software that this deployment wants, and the oldest that it still gives tasks to, such
   * as `2.4.0`. Unset: every version is current.
   */
  SCANNER_RECOMMENDED_VERSION: DottedVersion.optional(),
  SCANNER_MINIMUM_VERSION: DottedVersion.optional(),
  /**
   * Who answers completions: nobody without a model; with a base URL the server there, which speaks OpenAI's chat
   * completions; otherwise Amazon Bedrock, in the function's own region. `fast` and `strong` are the model unless set.
   */
  LLM_MODEL: z.string().min(1).optional(),
  LLM_MODEL_FAST: z.string().min(1).optional(),
  LLM_MODEL_STRONG: z.string().min(1).optional(),
  LLM_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The name of the secret that holds the key for the base URL, if it wants one. */
  LLM_SECRET: z.string().min(1).optional(),
  /** How long one call of the provider may take; 90 unless set. */
  LLM_TIMEOUT_SECONDS: z
    .string()
    .regex(/^(1?\d{1,2}|200)$/, 'whole seconds, at most 200')
    .optional(),
  BEDROCK_ENDPOINT: z.string().optional(),
  /** Where a local engine stands in for AWS. */
  DYNAMODB_ENDPOINT: z.string().optional(),
  SQS_ENDPOINT: z.string().optional(),
  S3_ENDPOINT: z.string().optional(),
  /** A JSON file in place of Secrets Manager, on a developer's machine. */
  SECRETS_FILE: z.string().optional(),
  /** Where the API document and the page that shows it lie; the build puts them beside the function's bundle. */
  REFERENCE_DIR: z.string().default('/var/task/reference'),
  /** `1`: every answer is checked against its schema (tests). */
  CHECK_RESPONSES: z.enum(['0', '1']).default('0'),
});
export type Settings = z.infer<typeof Settings>;

export const readSettings = (environment: Record<string, string | undefined> = process.env): Settings =>
  Settings.parse(environment);
