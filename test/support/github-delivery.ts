import { createHmac } from 'node:crypto';
import { newId } from '#shared/platform/runtime/ids.ts';
import { startSystem } from './system.ts';

type Connected = { webhookUrl: string; webhookSecret: string };

/** The headers with which GitHub signs an event. */
export const signedAsGitHub = (secret: string, text: string, event: string, id = newId()): Record<string, string> => ({
  'content-type': 'application/json',
  'x-github-event': event,
  'x-github-delivery': id,
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
});

/** Sends an event to an integration as GitHub does, to the address that the integration answered. */
export function deliver({ webhookUrl, webhookSecret }: Connected, event: string, body: object, id = newId()) {
  const text = JSON.stringify(body);
  const { pathname, searchParams } = new URL(webhookUrl);
  return startSystem()
    .client()
    .send('POST', pathname, {
      body: text,
      query: Object.fromEntries(searchParams),
      headers: signedAsGitHub(webhookSecret, text, event, id),
    });
}
