import { readSecret, signingKeys } from '#shared/code/integrations/secret.ts';
import { type Health, noteHealth } from '#shared/events/health.ts';
import type { ReaderKind } from '#shared/events/position.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { lettersToAdministrators } from '#shared/people/administrators.ts';
import { sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Sending, Subscribed, Target } from './sending.ts';

export type Visit = Pick<Sending, 'connections' | 'table' | 'position' | 'end' | 'apart'>;

/** A reader that is turned on: it gets events at an address with secrets, or messages are put together for it. */
type Opened = { sending: Sending & { target: Target } } | { subscribed: Subscribed };

/** The reader of a visit; undefined: it is turned off, or was removed. */
export const openReader = (visit: Visit, kind: ReaderKind): Promise<Opened | undefined> =>
  kind === 'webhook' ? openEndpoint(visit) : openSubscription(visit);

async function openEndpoint(visit: Visit): Promise<Opened | undefined> {
  const reader = await visit.table.find(webhookEndpoints, visit.position.readerId, true);
  const target = reader?.enabled && (await targetOf(visit, reader));
  if (!reader || !target) return undefined;
  const note = noteOf(visit, webhookEndpoints, { ...reader, what: 'webhook endpoint' });
  return { sending: { ...visit, reader, target, note } };
}

async function openSubscription(visit: Visit): Promise<Opened | undefined> {
  const { table, position } = visit;
  const reader = await table.find(subscriptions, position.readerId, true);
  if (!reader?.enabled) return undefined;
  const note = noteOf(visit, subscriptions, { ...reader, what: 'subscription' });
  const subscribed = { ...visit, reader, note };
  if (reader.endpointId === null) return { subscribed };
  const endpoint = await table.find(webhookEndpoints, reader.endpointId, true);
  const target = endpoint?.enabled && (await targetOf(visit, endpoint));
  return target ? { sending: { ...subscribed, target } } : undefined;
}

/** @returns undefined for an endpoint that was removed */
async function targetOf(context: Context, { id, url }: { id: string; url: string }): Promise<Target | undefined> {
  const secret = await readSecret(context, id);
  return secret && { url, secrets: signingKeys(secret) };
}

type Known = { id: string; name: string; what: string };

/** Notes the health of a reader. Administrators read in a letter that the service turned it off: no other event of it comes. */
const noteOf =
  <T extends Stored & Health>(context: Context, entity: Entity<T>, { id, name, what }: Known): Sending['note'] =>
  async (changes) => {
    const { table } = context;
    const { writes, tasks } = changes.status === 'disabled' ? await lettersAbout(table, { name, what, changes }) : NONE;
    const isNoted = await noteHealth(table, entity, { id, changes, also: writes });
    if (isNoted) for (const task of tasks) await sendOutbox(context, { task });
  };

const NONE: Awaited<ReturnType<typeof lettersToAdministrators>> = { writes: [], tasks: [] };

const lettersAbout = (table: Table, { name, what, changes }: Omit<Known, 'id'> & { changes: Partial<Health> }) =>
  lettersToAdministrators(table, {
    subject: shortened(`The ${what} "${name}" is turned off`, 200),
    paragraphs: [
      `It took no event for five days, or answered that it is gone. The last answer: ${shortened(changes.error?.message ?? '', 500)}`,
      'When you turn it on again, it gets what happened meanwhile, up to 400 days back.',
    ],
    link: { label: 'Open the service', page: '/' },
  });
