import * as z from 'zod';

/** A version of the scanners' software, such as `2.4.0`. */
export const DottedVersion = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9}){0,3}$/, 'must be one to four numbers with dots between, such as 2.4.0');

const Text = z.string().min(1);
const FeedUrl = z.url({ protocol: /^(https?|file)$/ });

/** Environment variables of every function: the stack sets them and the functions read them by this schema. */
export const Settings = z.object({
  TABLE_NAME: z.string().min(3),
  BUCKET_NAME: z.string().min(3),
  /** Queue URLs are `<prefix><queue name>`. */
  QUEUE_URL_PREFIX: Text,
  /** Issuer and audience of access tokens, so that tokens of one deployment are refused by another. */
  TOKEN_ISSUER: Text,
  /** The name of the secret that holds the signing key. */
  SIGNING_SECRET: Text,
  /** The name of the secret that holds the keys of sealed values (prompts, scan credentials). */
  SEALING_SECRET: Text,
  /** The name of the secret that holds the webhook secret of the payment processor. */
  BILLING_SECRET: Text,
  /** The name of the secret that holds the key of the payment processor. Unset: organizations buy and change no plans themselves. */
  STRIPE_SECRET: Text.optional(),
  /** The name of the secret of bot challenges: it signs those of ALTCHA; with Turnstile it is the secret key of the widget. */
  CHALLENGE_SECRET: Text,
  /** The site key of a widget of Cloudflare Turnstile, which then makes the bot challenges. */
  TURNSTILE_SITE_KEY: Text.optional(),
  /** The name of the secret that CloudFront sends, where it is before the API: requests without it are refused. */
  ORIGIN_SECRET: Text.optional(),
  /** Base URL under which clients reach the service. */
  BASE_URL: Text,
  /**
   * The version of the scanners' software that this deployment recommends, and the oldest version that still gets
   * tasks. Unset: every version is current.
   */
  SCANNER_RECOMMENDED_VERSION: DottedVersion.optional(),
  SCANNER_MINIMUM_VERSION: DottedVersion.optional(),
  /**
   * The language model for appliances. Without a model completions fail; with a base URL the server there answers
   * (OpenAI's chat completions), otherwise Amazon Bedrock in the function's region. `fast` and `strong` default to the
   * model.
   */
  LLM_MODEL: Text.optional(),
  LLM_MODEL_FAST: Text.optional(),
  LLM_MODEL_STRONG: Text.optional(),
  LLM_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The name of the secret that holds the key for the base URL, if the server needs one. */
  LLM_SECRET: Text.optional(),
  /** The time limit of one call of the provider; 90 unless set. */
  LLM_TIMEOUT_SECONDS: z
    .string()
    .regex(/^(1?\d{1,2}|200)$/, 'must be whole seconds, at most 200')
    .optional(),
  /** Addresses of the feeds about vulnerabilities; one without an address is not read. `file:` on a developer's machine. */
  EPSS_FEED_URL: FeedUrl.optional(),
  KEV_FEED_URL: FeedUrl.optional(),
  /** A folder with NVD's files of each year and of changes, or one file. */
  NVD_FEED_URL: FeedUrl.optional(),
  /** A folder with OSV's zip of each ecosystem, or one file. */
  OSV_FEED_URL: FeedUrl.optional(),
  /** `1`: code hosts in private networks, and without TLS, may be called: then administrators of organizations reach that network. */
  CODE_HOSTS_PRIVATE: z.enum(['0', '1']).optional(),
  /** Name servers in place of those of the system, separated by commas: tests prove domains by a server of their own. */
  DNS_SERVERS: Text.optional(),
  /** The sender of e-mail, an identity that Amazon SES has verified. Unset: the deployment sends no e-mail. */
  MAIL_FROM: z.email().optional(),
  /** A folder in place of Amazon SES, on a developer's machine: each letter is a file there. */
  MAIL_DIR: Text.optional(),
  BEDROCK_ENDPOINT: z.string().optional(),
  /** Addresses of local engines that replace AWS. */
  DYNAMODB_ENDPOINT: z.string().optional(),
  SQS_ENDPOINT: z.string().optional(),
  S3_ENDPOINT: z.string().optional(),
  /** A JSON file in place of Secrets Manager, on a developer's machine. */
  SECRETS_FILE: z.string().optional(),
  /** The folder of the API document and its page; the build puts them beside the function's bundle. */
  REFERENCE_DIR: z.string().default('/var/task/reference'),
  /** `1`: every answer is checked against its schema (tests). */
  CHECK_RESPONSES: z.enum(['0', '1']).default('0'),
});
export type Settings = z.infer<typeof Settings>;

export const readSettings = (environment: Record<string, string | undefined> = process.env): Settings =>
  Settings.parse(environment);
