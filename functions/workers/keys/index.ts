import { rotateSigningKey } from '#shared/platform/auth/key-rotation.ts';
import { readKeySet } from '#shared/platform/auth/key-set.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { type Connections, openConnections } from '#shared/platform/runtime/connections.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { embeddedMetric, SIGNING_KEY_AGE } from '#shared/platform/runtime/metrics.ts';

const DAY_MS = 86_400_000;

/** A quarter of a year. The alarm waits a week longer. */
const ROTATED_AFTER_DAYS = 90;

/** Every six hours: measures the age of the key that signs access tokens, and replaces it after a quarter. */
export const handler = (): Promise<void> => renewKey(openConnections());

export async function renewKey(connections: Connections): Promise<void> {
  const { keys } = await readKeySet(connections.dynamo);
  const current = keys.filter(({ until }) => until === undefined).map(({ createdAt }) => Date.parse(createdAt));
  // A stack without a key is not in use yet: npm run bootstrap makes the first.
  if (current.length === 0) return;
  const days = Math.floor((nowMs() - Math.max(...current)) / DAY_MS);
  const { TABLE_NAME: table } = connections.settings;
  log.info('age of the key of access tokens', embeddedMetric(SIGNING_KEY_AGE, days, { table }));
  if (days >= ROTATED_AFTER_DAYS)
    log.info('key of access tokens replaced', { kid: await rotateSigningKey(connections) });
}
