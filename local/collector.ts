import { runCollector } from './reference-collector/collector.ts';
import { readOptions, untilStopped } from './reference-machine/program.ts';

const GATHER_SECONDS = 5;

/** `npm run collector -- --url ... --link-token-file ...`: a small collector, as an example and for the tests. */
const { installation, values, usage } = readOptions('collector', {
  files: 'FILE[,FILE]',
  'syslog-port': 'PORT',
  'gather-seconds': 'SECONDS',
});
const files = (values.files ?? '').split(',').filter((file) => file !== '');
const port = values['syslog-port'] === undefined ? undefined : Number(values['syslog-port']);
const gatherSeconds = Number(values['gather-seconds'] ?? GATHER_SECONDS);
if ((files.length === 0 && port === undefined) || (port !== undefined && !Number.isInteger(port))) usage();
if (!(gatherSeconds > 0 && gatherSeconds <= 300)) usage();

await untilStopped((stopping) => runCollector({ ...installation, files, port, gatherSeconds }, stopping));
