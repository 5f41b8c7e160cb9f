import { runCollector } from '#local/reference-collector/collector.ts';
import { readOptions, untilStopped } from '#local/reference-machine/program.ts';

/** `npm run collector -- --url ... --link-token-file ...`: a small collector, as an example and for the tests. */
const { installation, values, usage } = readOptions('collector', { files: 'FILE[,FILE]', 'syslog-port': 'PORT' });
const files = (values.files ?? '').split(',').filter((file) => file !== '');
const port = values['syslog-port'] === undefined ? undefined : Number(values['syslog-port']);
if ((files.length === 0 && port === undefined) || (port !== undefined && !Number.isInteger(port))) usage();

await untilStopped((stopping) => runCollector({ ...installation, files, port }, stopping));
