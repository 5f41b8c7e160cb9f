import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { isSame } from '#shared/crypto/same.ts';
import { type JsonObject, textAt } from '#shared/reports/json.ts';
import { type Headers, headerOf, hostIn, isName, refused, type Sender } from './sender.ts';

/**
 * Deliveries of GitLab, which prove themselves by the secret as it is (`X-Gitlab-Token`) or by a signature in the form of Standard
 * Webhooks: https://docs.gitlab.com/user/project/integrations/webhooks/
 */
export const gitlab: Sender = {
  kind: 'codehost_b',

  describe({ headers, body }) {
    if (!headers['x-gitlab-token'] && !headers['webhook-signature']) throw refused();
    const path = pathIn(body);
    const host =
      hostIn(headers['x-gitlab-instance']) ??
      hostIn(textAt(body, 'project', 'web_url') ?? pageIn(body)) ??
      'gitlab.com';
    return {
      deliveryId: idOf(headers),
      event:
        ['object_kind', 'event_name'].map((name) => textAt(body, name)).find(isName) ??
        headerOf(headers, 'x-gitlab-event'),
      action: textAt(body, 'object_attributes', 'action') ?? textAt(body, 'event_name') ?? null,
      repository: path ?? null,
      accounts: groupsOf(body, path).map((account) => ({ kind: 'codehost_b', host, account })),
    };
  },

  /** A body may come again, such as that of a branch that is put back and forth: its signature has the id, and its token proves no body. */
  signs: ({ headers, bytes }) => Buffer.concat([Buffer.from(`${idOf(headers)}.`), bytes]),

  verify: async (sent, secret) =>
    sent.headers['webhook-signature'] ? isSigned(sent, secret) : isSame(sent.headers['x-gitlab-token'] ?? '', secret),
};

/** Events that follow from another webhook share a UUID; newer releases give each delivery a key of its own, which its repetitions keep. */
const ID_HEADERS = ['webhook-id', 'idempotency-key'];

/** @throws validation_failed */
const idOf = (headers: Headers): string =>
  headerOf(headers, ID_HEADERS.find((name) => headers[name]) ?? 'x-gitlab-event-uuid');

/** An event of a vulnerability has the address of its page alone. */
const pathIn = (body: JsonObject): string | undefined =>
  textAt(body, 'project', 'path_with_namespace') ??
  textAt(body, 'path_with_namespace') ??
  /^https?:\/\/[^/]+\/(.+?)\/-\//.exec(pageIn(body) ?? '')?.[1];

const pageIn = (body: JsonObject): string | undefined => textAt(body, 'object_attributes', 'url');

/** Groups within groups that are looked up. */
const MOST_GROUPS = 10;

/** The group of a project with its parents: an integration of any of them takes its events. */
function groupsOf(body: JsonObject, path: string | undefined): string[] {
  const group =
    path?.split('/').slice(0, -1).join('/') ?? textAt(body, 'full_path') ?? textAt(body, 'group', 'full_path');
  const names = (group ?? textAt(body, 'group', 'group_path') ?? '').toLowerCase().split('/').filter(Boolean);
  return names.map((_, n) => names.slice(0, n + 1).join('/')).slice(0, MOST_GROUPS);
}

/** The signature covers the time, of which the library takes five minutes before and after. */
function isSigned({ headers, bytes }: { headers: Headers; bytes: Uint8Array }, secret: string): boolean {
  const given = {
    'webhook-id': headers['webhook-id'] ?? '',
    'webhook-timestamp': headers['webhook-timestamp'] ?? '',
    'webhook-signature': headers['webhook-signature'] ?? '',
  };
  try {
    new Webhook(secret).verify(Buffer.from(bytes), given, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}
