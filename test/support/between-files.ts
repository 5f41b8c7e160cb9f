import { afterAll, vi } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { forgetConnections } from '#shared/platform/runtime/connections.ts';
import { setRandom } from '#shared/platform/runtime/random.ts';

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
