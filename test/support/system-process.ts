import { type LocalKeys, localKeys } from '#local/credentials.ts';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';
import { publicNetwork } from './network.ts';
import { withShortWay } from './short-way.ts';
import { isStack } from './tier.ts';

/** The system that all test files of a run share, in a process of its own that ends with the test run. */
export type SharedSystem = { baseUrl: string; settings: Settings; keys: LocalKeys };

/** The settings of the stack that the local system has otherwise (docs/decisions/0066-settings-of-the-stack.md). */
const ofTheStack = { CODE_HOSTS_PRIVATE: undefined, TOKEN_ISSUER: 'https://exposure.example' };

const system = await startLocalSystem({ port: 0, ...(isStack ? { settings: ofTheStack } : { checkResponses: true }) });
withShortWay(system.connections.dynamo);
if (isStack) Object.assign(system.connections, { network: publicNetwork() });
await bootstrap(system.connections);
const ready: SharedSystem = { baseUrl: system.baseUrl, settings: system.connections.settings, keys: localKeys };
process.send?.(ready);
// Any message asks how much processor time the process has used.
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('disconnect', () => void system.stop().then(() => process.exit(0)));
