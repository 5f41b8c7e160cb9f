import { readJsonFile } from './mistake.ts';
import { Programs } from './reference-integrator/actions.ts';
import { runIntegrator } from './reference-integrator/integrator.ts';
import { readOptions, untilStopped } from './reference-machine/program.ts';

/** `npm run integrator -- --url ... --link-token-file ...`: a small integrator, as an example and for the tests. */
const { installation, values } = readOptions('integrator', { drop: 'DIR', programs: 'FILE' });
const programs = values.programs ? readJsonFile(values.programs, Programs) : Programs.parse({});

await untilStopped((stopping) => runIntegrator({ ...installation, drop: values.drop, programs }, stopping));
