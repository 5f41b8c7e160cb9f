import { runAgent } from '#local/reference-agent/agent.ts';
import { readOptions, untilStopped } from '#local/reference-machine/program.ts';

/** `npm run agent -- --url ... --link-token ...`: a small agent to start from; it reports on the host that it runs on. */
const { installation } = readOptions('agent', {});

await untilStopped((stopping) => runAgent(installation, stopping));
