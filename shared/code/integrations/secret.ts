import * as z from 'zod';
import { openSealed } from '#shared/credentials/sealed.ts';
import { newSecret } from '#shared/platform/auth/token-format.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';

/** A GitHub App that is installed in the account. */
const AppAccess = z.object({ appId: z.string(), installationId: z.string(), privateKey: z.string() });
export type AppAccess = z.infer<typeof AppAccess>;

/** The means by which the service asks the code host. */
const HostAccess = z.union([z.object({ token: z.string() }), z.object({ app: AppAccess })]);
export type HostAccess = z.infer<typeof HostAccess>;

/**
 * The secrets of an integration: that with which its deliveries are signed, the one before for a while, and the access to its
 * code host.
 */
const IntegrationSecret = z.object({
  webhook: z.string(),
  former: z.object({ webhook: z.string(), until: z.string() }).optional(),
  access: HostAccess.optional(),
  /** The private key with which requests to a webhook endpoint are signed beside the secret. */
  signing: z.string().optional(),
});
export type IntegrationSecret = z.infer<typeof IntegrationSecret>;

/** The form of Standard Webhooks, in which GitLab takes a signing token; GitHub takes any text. */
export const newWebhookSecret = (): string => `whsec_${Buffer.from(newSecret()).toString('base64')}`;

/** Another secret; the present one works for so long. */
export const rotated = (
  { webhook, access, signing }: IntegrationSecret,
  overlapSeconds: number,
): IntegrationSecret => ({
  webhook: newWebhookSecret(),
  access,
  signing,
  ...(overlapSeconds > 0 && { former: { webhook, until: inSeconds(overlapSeconds) } }),
});

/** The webhook secrets that work now. */
export const workingSecrets = ({ webhook, former }: IntegrationSecret): string[] =>
  former && former.until > now() ? [webhook, former.webhook] : [webhook];

/** The keys with which a request to a webhook endpoint is signed now. */
export const signingKeys = (secret: IntegrationSecret): string[] => [
  ...workingSecrets(secret),
  ...(secret.signing === undefined ? [] : [secret.signing]),
];

export const readSecret = (context: Context, id: string): Promise<IntegrationSecret | undefined> =>
  openSealed(context, { purpose: 'integration', id, schema: IntegrationSecret });
