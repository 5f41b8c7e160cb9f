import { readSecret, signingKeys } from '#shared/code/integrations/secret.ts';
import { FILTER_INVALID, type Health, noteHealth } from '#shared/events/health.ts';
import type { ReaderKind } from '#shared/events/position.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { lettersToAdministrators } from '#shared/people/administrators.ts';
import { letterTask } from '#shared/people/letter.ts';
import { users } from '#shared/people/user.ts';
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
  const note = noteOf(visit, webhookEndpoints, { ...reader, ...ENDPOINT });
  return { sending: { ...visit, reader, target, note } };
}

async function openSubscription(visit: Visit): Promise<Opened | undefined> {
  const { table, position } = visit;
  const reader = await table.find(subscriptions, position.readerId, true);
  if (!reader?.enabled) return undefined;
  const note = noteOf(visit, subscriptions, { ...reader, ...SUBSCRIPTION });
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

const ENDPOINT = {
  what: 'webhook endpoint',
  lost: 'When you turn it on again, it gets what happened meanwhile, up to 400 days back.',
};
const SUBSCRIPTION = { what: 'subscription', lost: 'What happens while it is off is never sent.' };

/** A reader as its letters name it. `ownerId`: the person whose own it is. */
type Known = Pick<Health, 'error'> & { id: string; name: string; what: string; lost: string; ownerId?: string | null };

/** Notes the health of a reader. People read in a letter that it gets nothing any more: no other event of it comes. */
const noteOf =
  <T extends Stored & Health>(context: Context, entity: Entity<T>, known: Known): Sending['note'] =>
  async (changes) => {
    const { table } = context;
    const letter = letterAbout(known, changes);
    const { writes, tasks } = letter ? await addressed(table, known, letter) : NONE;
    const isNoted = await noteHealth(table, entity, { id: known.id, changes, also: writes });
    if (isNoted) for (const task of tasks) await sendOutbox(context, { task });
  };

type Letters = Awaited<ReturnType<typeof lettersToAdministrators>>;
const NONE: Letters = { writes: [], tasks: [] };

type Unaddressed = Parameters<typeof lettersToAdministrators>[1];

/** The letter about a reader that is turned off, or whose filter stops it. It comes once. */
function letterAbout(
  { name, what, lost, error: known }: Known,
  { status, error }: Partial<Health>,
): Unaddressed | undefined {
  const link = { label: 'Open the service', page: '/' };
  const message = shortened(error?.message ?? '', 500);
  if (status === 'disabled')
    return {
      subject: shortened(`The ${what} "${name}" is turned off`, 200),
      paragraphs: [`It took no event for five days, or answered that it is gone. The last answer: ${message}`, lost],
      link,
    };
  if (error?.code !== FILTER_INVALID || known?.code === FILTER_INVALID) return undefined;
  return {
    subject: shortened(`The ${what} "${name}" sends nothing: its filter is wrong`, 200),
    paragraphs: [message, 'Change the filter. Until then its events wait; after five days it is turned off.'],
    link,
  };
}

/** A person's own subscription concerns the person alone. */
async function addressed(table: Table, { ownerId }: Known, letter: Unaddressed): Promise<Letters> {
  if (!ownerId) return lettersToAdministrators(table, letter);
  const owner = await table.find(users, ownerId, true);
  if (owner?.status !== 'active') return NONE;
  const { task, writes } = letterTask(table, { ...letter, to: owner.email });
  return { tasks: [task], writes };
}
