import { SUBSCRIPTIONS_PAGE } from '#shared/notifications/pages.ts';
import { stopFor } from '#shared/notifications/stop.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { readTicket } from '#shared/people/ticket.ts';
import type { PublicCall, RawAnswer } from '#shared/platform/http/route.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { isId } from '#shared/platform/runtime/ids.ts';
import { escaped } from '#shared/platform/runtime/markup.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { notificationRoutes } from './routes.ts';

type Routes = typeof notificationRoutes;

const pageWith = (title: string, body: string): RawAnswer => ({
  contentType: 'text/html; charset=utf-8',
  body:
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>${title}</title></head>` +
    `<body><h1>${title}</h1>${body}</body></html>`,
  headers: {
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  },
});

const manage = ({ settings }: Connections): string =>
  `<p><a href="${escaped(`${settings.BASE_URL}${SUBSCRIPTIONS_PAGE}`)}">All your subscriptions</a></p>`;

const tooOld = (connections: Connections): RawAnswer =>
  pageWith('This link is too old', `<p>Sign in to change what notifies you.</p>${manage(connections)}`);

/** The page behind the link of a letter. Programs open links to look at them, so it changes nothing. */
export async function showUnsubscribe({
  connections,
  params,
}: PublicCall<Routes['showUnsubscribe']>): Promise<RawAnswer> {
  const ticket = await readTicket(connections.dynamo, 'unsubscribe', params.token);
  if (!ticket) return tooOld(connections);
  const table = openTable(connections.dynamo, ticket.organizationId);
  const named = await table.findMany(subscriptions, ticket.sources.filter(isId));
  const list = named.map(({ name }) => `<li>${escaped(name)}</li>`).join('');
  return pageWith(
    'Stop these letters?',
    `<ul>${list}</ul><form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">` +
      `<button type="submit">Stop these letters</button></form>${manage(connections)}`,
  );
}

export async function unsubscribe({ connections, params }: PublicCall<Routes['unsubscribe']>): Promise<RawAnswer> {
  const ticket = await readTicket(connections.dynamo, 'unsubscribe', params.token);
  if (!ticket) return tooOld(connections);
  const table = openTable(connections.dynamo, ticket.organizationId);
  for (const source of ticket.sources) await stopFor(table, source, ticket.userId);
  return pageWith('These letters have stopped', manage(connections));
}
