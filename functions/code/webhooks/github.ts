import { fieldAt, textAt } from '#shared/reports/readers/json.ts';
import { headerOf, hostIn, type Sender } from './sender.ts';
import { isSignedBy } from './signature.ts';

/** Deliveries of GitHub: https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers */
export const github: Sender = {
  kind: 'codehost_a',

  isSigned: (headers) => Boolean(headers['x-hub-signature-256']),

  accountsIn(headers, outline) {
    const names = [
      textAt(outline, 'repository', 'owner', 'login') ?? textAt(outline, 'repository', 'owner', 'name'),
      textAt(outline, 'organization', 'login'),
      textAt(outline, 'installation', 'account', 'login'),
    ];
    const page = textAt(outline, 'repository', 'html_url') ?? textAt(outline, 'sender', 'html_url');
    const host = headers['x-github-enterprise-host'] ?? hostIn(page) ?? 'github.com';
    const logins = new Set(names.flatMap((name) => name?.toLowerCase() ?? []));
    return [...logins].map((account) => ({ kind: 'codehost_a', host, account }));
  },

  verify: ({ headers, bytes }, secret) => isSignedBy(secret, headers['x-hub-signature-256'] ?? '', bytes),

  describe: ({ headers, body }) => ({
    deliveryId: headerOf(headers, 'x-github-delivery'),
    event: headerOf(headers, 'x-github-event'),
    action: textAt(body, 'action') ?? null,
    repository: textAt(body, 'repository', 'full_name') ?? null,
  }),

  kept({ bytes, body }) {
    if (textAt(body, 'alert', 'secret') === undefined) return bytes;
    const alert = { ...Object(fieldAt(body, 'alert')), secret: null };
    return Buffer.from(JSON.stringify({ ...body, alert }));
  },

  /** GitHub signs neither id nor time: a known body comes from somebody who saw it. */
  signs: ({ bytes }) => bytes,
};
