import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { forgetConnections } from '#shared/platform/runtime/connections.ts';
import { readSettings } from '#shared/platform/runtime/env.ts';
import { setEnvironment } from '../environment.ts';
import { startLocalSystem } from '../system.ts';
import type { Credentials } from './fill-event.ts';

/** A system for the function to work on; its settings are in the environment. */
export type OpenSystem = Credentials & { origin: string; close(): Promise<void> };

const Keys = z.object({ AWS_ACCESS_KEY_ID: z.string(), AWS_SECRET_ACCESS_KEY: z.string() });

const Ready = z.object({
  baseUrl: z.string(),
  organizationId: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  apiKey: z.string(),
  linkToken: z.string(),
});

/** The running system of this data directory, otherwise a system in memory that ends with the invocation. */
export async function openSystem(dataDir: string): Promise<OpenSystem> {
  const running = await findRunning(dataDir);
  if (running) return running;
  const local = await startLocalSystem({ port: 0 });
  const credentials = await bootstrap(local.connections);
  return { ...credentials, baseUrl: local.baseUrl, origin: 'a fresh system in memory', close: () => local.stop() };
}

/** Undefined where no system runs with these data. */
export async function findRunning(dataDir: string): Promise<OpenSystem | undefined> {
  try {
    const ready = Ready.parse(readJson(dataDir, 'ready.json'));
    const stored = z.record(z.string(), z.string()).parse(readJson(dataDir, 'settings.json'));
    const settings = readSettings(stored);
    if (settings.BASE_URL !== ready.baseUrl || !(await fetch(`${ready.baseUrl}/api/v1/status`)).ok) return undefined;
    setEnvironment(settings, Keys.parse(stored));
    return { ...ready, origin: `the system at ${ready.baseUrl}`, close: async () => forgetConnections() };
  } catch {
    // The system was never started or has stopped: its files are missing, or nothing answers at its address.
    return undefined;
  }
}

const readJson = (directory: string, name: string): unknown => JSON.parse(readFileSync(join(directory, name), 'utf8'));
