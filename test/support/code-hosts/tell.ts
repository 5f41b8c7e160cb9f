import { newId } from '#shared/platform/runtime/ids.ts';
import type { AnswerOf, Client } from '../client.ts';
import { deliver } from '../github-delivery.ts';
import { startSystem } from '../system.ts';
import { until } from '../wait.ts';

type Integration = AnswerOf<'createIntegration'>;

/** Sends an event as GitLab does, to the address that the integration answered. */
export function deliverFromGitlab(
  { webhookUrl, webhookSecret }: Integration,
  event: string,
  body: object,
  id = newId(),
) {
  const { pathname, searchParams } = new URL(webhookUrl);
  const named = { 'x-gitlab-event': event, 'x-gitlab-event-uuid': id, 'x-gitlab-token': webhookSecret };
  return startSystem()
    .client()
    .send('POST', pathname, {
      body: JSON.stringify(body),
      query: Object.fromEntries(searchParams),
      headers: { 'content-type': 'application/json', ...named },
    });
}

/** The outcome of an event that an organization's integration took, once it was worked. */
export async function outcomeOf(admin: Client, { id }: Pick<Integration, 'id'>, deliveryId: string) {
  const worked = await until(
    async () => {
      const { data } = await admin.ok('listDeliveries', { params: { id }, query: {} });
      return data.find((one) => one.deliveryId === deliveryId);
    },
    (one) => one?.status === 'succeeded' || one?.status === 'failed',
  );
  if (worked?.status !== 'succeeded') throw new Error(`The event failed: ${JSON.stringify(worked)}`);
  return worked.outcome;
}

/** Sends events of the integration's code host, and waits until each was worked. @returns the effects */
export function tellerOf(admin: Client, integration: Integration) {
  const send = integration.kind === 'codehost_a' ? deliver : deliverFromGitlab;
  return async (event: string, body: object): Promise<string[]> => {
    const id = newId();
    const { status } = await send(integration, event, body, id);
    if (status !== 200) throw new Error(`The event ${event} is answered with ${status}.`);
    return (await outcomeOf(admin, integration, id))?.effects ?? [];
  };
}
