import { fieldAt, textAt } from '#shared/reports/json.ts';
import { isSignedBy } from './hub-signature.ts';
import { headerOf, hostIn, refused, type Sender } from './sender.ts';

/** Deliveries of GitHub: https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers */
export const github: Sender = {
  kind: 'codehost_a',

  describe({ headers, body }) {
    if (!headers['x-hub-signature-256']) throw refused();
    const names = [
      textAt(body, 'repository', 'owner', 'login') ?? textAt(body, 'repository', 'owner', 'name'),
      textAt(body, 'organization', 'login'),
      textAt(body, 'installation', 'account', 'login'),
    ];
    const page = textAt(body, 'repository', 'html_url') ?? textAt(body, 'sender', 'html_url');
    const host = headers['x-github-enterprise-host'] ?? hostIn(page) ?? 'github.com';
    const logins = new Set(names.flatMap((name) => name?.toLowerCase() ?? []));
    return {
      deliveryId: headerOf(headers, 'x-github-delivery'),
      event: headerOf(headers, 'x-github-event'),
      action: textAt(body, 'action') ?? null,
      repository: textAt(body, 'repository', 'full_name') ?? null,
      accounts: [...logins].map((account) => ({ kind: 'codehost_a', host, account })),
    };
  },

  kept({ bytes, body }) {
    if (textAt(body, 'alert', 'secret') === undefined) return bytes;
    const alert = { ...Object(fieldAt(body, 'alert')), secret: null };
    return Buffer.from(JSON.stringify({ ...body, alert }));
  },

  /** It signs no id and no time: a body that came before is sent by somebody who saw it. */
  signs: ({ bytes }) => bytes,

  verify: ({ headers, bytes }, secret) => isSignedBy(secret, headers['x-hub-signature-256'] ?? '', bytes),
};
