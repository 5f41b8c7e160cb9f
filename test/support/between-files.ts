import { afterAll, inject, vi } from 'vitest';
import { localRegion } from '#local/credentials.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { forgetConnections } from '#shared/platform/runtime/connections.ts';
import { setRandom } from '#shared/platform/runtime/random.ts';

// a module that joined the shared system for a former file joins it for this one too
const system = inject('system');
if (!('failure' in system)) Object.assign(process.env, { AWS_REGION: localRegion }, system.keys);

/** Files that share a process must not see what the one before has set. */
const environment = { ...process.env };

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  setClock();
  setRandom();
  forgetConnections();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
