import type { Handlers } from '#shared/platform/http/route.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { takeAlerts } from './alerts.ts';
import { takeBreachBatch } from './breaches.ts';
import { completeAsIntegrator } from './complete.ts';
import { takeIdentities } from './identities.ts';
import { takeInventory } from './inventory.ts';
import { pollAsIntegrator } from './poll.ts';
import type { integratorCommunicationRoutes } from './routes.ts';

export const integratorCommunicationHandlers: Handlers<typeof integratorCommunicationRoutes> = {
  sendAlerts: ({ table, caller, body }) => takeAlerts(table, caller.id, body.alerts),

  sendBreaches: ({ connections, table, caller, body }) =>
    takeBreachBatch({ connections, table, machineId: caller.id }, body.breaches),

  sendIdentities: ({ table, caller, body }) => takeIdentities(table, caller.id, body.identities),

  leaseResponseActions: ({ table, caller, body }) => pollAsIntegrator(table, { machineId: caller.id, body }),

  completeResponseActions({ connections, table, caller, body: { results } }) {
    if (!results) throw invalid('results', 'is required: the ended actions');
    return completeAsIntegrator({ connections, table, machineId: caller.id }, results);
  },

  sendInventory: ({ connections, table, caller, body }) =>
    takeInventory({ connections, table, machineId: caller.id }, body),
};
