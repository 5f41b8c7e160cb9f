import { runAgent } from './reference-agent/agent.ts';
import { readOptions, untilStopped } from './reference-machine/program.ts';

/** `npm run agent -- --url ... --link-token-file ...`: a small agent, as an example; it reports on its own host. */
const { installation } = readOptions('agent', {});

await untilStopped((stopping) => runAgent(installation, stopping));
