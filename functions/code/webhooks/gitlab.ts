import { isSame } from '#shared/platform/crypto/same.ts';
import { type JsonObject, textAt } from '#shared/reports/readers/json.ts';
import { type Headers, headerOf, hostIn, isName, type Sender, type Unproven } from './sender.ts';
import { timedBytes } from './signature.ts';

/**
 * Deliveries of GitLab, which prove themselves by the secret as it is (`X-Gitlab-Token`) or by a signature in the form of Standard
 * Webhooks: https://docs.gitlab.com/user/project/integrations/webhooks/
 */
export const gitlab: Sender = {
  kind: 'codehost_b',

  isSigned: (headers) => Boolean(headers['x-gitlab-token'] || headers['webhook-signature']),

  accountsIn(headers, outline) {
    const host =
      hostIn(headers['x-gitlab-instance']) ??
      hostIn(textAt(outline, 'project', 'web_url') ?? pageIn(outline)) ??
      'gitlab.com';
    return groupsOf(outline).map((account) => ({ kind: 'codehost_b', host, account }));
  },

  verify: (sent, secret) =>
    sent.headers['webhook-signature'] ? isSigned(sent, secret) : isSame(sent.headers['x-gitlab-token'] ?? '', secret),

  describe: ({ headers, body }) => ({
    deliveryId: idOf(headers),
    event:
      ['object_kind', 'event_name'].map((name) => textAt(body, name)).find(isName) ??
      headerOf(headers, 'x-gitlab-event'),
    action: textAt(body, 'object_attributes', 'action') ?? textAt(body, 'event_name') ?? null,
    repository: pathIn(body) ?? null,
  }),

  /**
   * A body may come again, for example when a branch moves back and forth: the signature includes the id, and the token
   * proves no body.
   */
  signs: ({ headers, bytes }) => Buffer.concat([Buffer.from(`${idOf(headers)}.`), bytes]),
};

/** Events that follow from another webhook share a UUID; newer releases give each delivery a key of its own, which its repetitions keep. */
const ID_HEADERS = ['webhook-id', 'idempotency-key'];

/** @throws validation_failed */
const idOf = (headers: Headers): string =>
  headerOf(headers, ID_HEADERS.find((name) => headers[name]) ?? 'x-gitlab-event-uuid');

/** An event of a vulnerability has only the address of its page. */
const pathIn = (body: JsonObject): string | undefined =>
  textAt(body, 'project', 'path_with_namespace') ??
  textAt(body, 'path_with_namespace') ??
  /^https?:\/\/[^/]+\/(.+?)\/-\//.exec(pageIn(body) ?? '')?.[1];

const pageIn = (body: JsonObject): string | undefined => textAt(body, 'object_attributes', 'url');

/** Groups within groups that are looked up. */
const MAX_GROUPS = 10;

/** The group of a project with its parents: an integration of any of them takes its events. */
function groupsOf(body: JsonObject): string[] {
  const group =
    pathIn(body)?.split('/').slice(0, -1).join('/') ?? textAt(body, 'full_path') ?? textAt(body, 'group', 'full_path');
  const names = (group ?? textAt(body, 'group', 'group_path') ?? '').toLowerCase().split('/').filter(Boolean);
  return names.map((_, n) => names.slice(0, n + 1).join('/')).slice(0, MAX_GROUPS);
}

/** The signature of Standard Webhooks is over the id, the time and the body: https://www.standardwebhooks.com */
function isSigned({ headers, bytes }: Unproven, secret: string): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': signatures = '' } = headers;
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? one.slice('v1,'.length) : []));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return timedBytes(bytes, given, { key, encoding: 'base64', before: `${id}.${time}.`, time }) !== undefined;
}
