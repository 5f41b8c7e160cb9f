import { runAppliance } from './reference-apex/appliance.ts';
import { capacityOf, readOptions, untilStopped } from './reference-machine/program.ts';

/** `npm run apex -- --url ... --link-token-file ...`: a small appliance, as an example and for the tests. */
const { installation, values, usage } = readOptions('apex', { capacity: '1..15' });
const capacity = capacityOf(values.capacity, 15) ?? usage();

await untilStopped((stopping) => runAppliance({ ...installation, capacity }, stopping));
