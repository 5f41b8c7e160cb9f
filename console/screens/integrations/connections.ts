import { answerOf, client, Refused } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Integration, WebhookEndpoint } from '../../api/types.ts';
import { integrations as words } from '../../texts/integrations.ts';

const MAX_SHOWN = 200;
const page = { params: { query: { paginateSize: MAX_SHOWN } } };

export type State = keyof typeof words.states;
/** The kinds of connections, which begin the ids of their pages. */
type Kind = 'host' | 'ticketing' | 'collector' | 'integrator' | 'webhook';

export type Connection = {
  kind: Kind;
  id: string;
  name: string;
  system: string;
  about: string | null;
  state: State;
  problem: { message: string; at: string } | null;
  lastAt: string | null;
};

/** States in the order in which they need a person. */
const ORDER: readonly State[] = [
  'failed',
  'degraded',
  'offline',
  'never_connected',
  'waiting',
  'connected',
  'online',
  'disabled',
];
const WORKS: readonly State[] = ['connected', 'online', 'disabled'];

export const needsSomebody = ({ state }: Pick<Connection, 'state'>): boolean => !WORKS.includes(state);
export const pathOf = ({ kind, id }: Pick<Connection, 'kind' | 'id'>): string => `/integrations/${kind}:${id}`;

type Attached = Pick<Integration, 'id' | 'name' | 'status' | 'error' | 'lastDeliveryAt' | 'lastSyncAt'>;

/** A connection that nothing has ever come through is not known to work. */
export const stateOf = ({
  status,
  lastDeliveryAt,
  lastSyncAt,
}: Pick<Attached, 'status' | 'lastDeliveryAt' | 'lastSyncAt'>): State =>
  status === 'connected' && lastDeliveryAt === null && lastSyncAt === null ? 'waiting' : status;

const attached = (one: Attached) => ({
  id: one.id,
  name: one.name,
  state: stateOf(one),
  problem: one.error,
  lastAt: one.lastDeliveryAt ?? one.lastSyncAt,
});

type Machine = { id: string; name: string; hostname: string | null; status: State; lastSeenAt: string | null };

const machine =
  (kind: 'collector' | 'integrator') =>
  ({ id, name, hostname, status, lastSeenAt }: Machine): Connection => ({
    kind,
    id,
    name,
    system: words.systems[kind],
    about: hostname,
    state: status,
    problem: null,
    lastAt: lastSeenAt,
  });

/** Only administrators see where events are sent: such an address may be a secret. */
async function webhooks(): Promise<Connection[]> {
  try {
    const { data } = await answerOf(client.GET('/api/v1/webhook-endpoints', page));
    return data.map((one) => ({
      kind: 'webhook',
      id: one.id,
      name: one.name,
      system: words.systems.webhook,
      about: new URL(one.url).host,
      state: STATES[one.status],
      problem: one.error,
      lastAt: null,
    }));
  } catch (error) {
    if (error instanceof Refused && error.code === 'insufficient_scope') return [];
    throw error;
  }
}

/** A webhook endpoint as a connection. */
export const STATES = { active: 'connected', failing: 'failed', disabled: 'disabled' } as const satisfies Record<
  WebhookEndpoint['status'],
  State
>;

/** The connections of all kinds; broken ones come first. */
export const useConnections = question(async (): Promise<Connection[]> => {
  const [hosts, ticketing, collectors, integrators, endpoints] = await Promise.all([
    answerOf(client.GET('/api/v1/integrations', page)),
    answerOf(client.GET('/api/v1/ticketing/connections', page)),
    answerOf(client.GET('/api/v1/collectors', page)),
    answerOf(client.GET('/api/v1/integrators', page)),
    webhooks(),
  ]);
  const all: Connection[] = [
    ...hosts.data.map((one) => ({
      ...attached(one),
      kind: 'host' as const,
      system: words.systems[one.kind],
      about: one.account,
    })),
    ...ticketing.data.map((one) => ({
      ...attached(one),
      kind: 'ticketing' as const,
      system: words.systems[one.edition],
      about: one.baseUrl,
    })),
    ...collectors.data.map(machine('collector')),
    ...integrators.data.map(machine('integrator')),
    ...endpoints,
  ];
  return all.sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
});
