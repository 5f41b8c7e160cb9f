import { runCollector } from './reference-collector/collector.ts';
import { readOptions, untilStopped } from './reference-machine/program.ts';

const GATHER_SECONDS = 5;

/** `npm run collector -- --url ... --link-token-file ...`: a small collector, as an example and for the tests. */
const { installation, values, usage } = readOptions('collector', {
  files: 'FILE[,FILE]',
  'syslog-port': 'PORT',
  'tls-port': 'PORT',
  'tls-host': 'ADDRESS',
  'tls-cert': 'FILE',
  'tls-key': 'FILE',
  'tls-ca': 'FILE',
  'gather-seconds': 'SECONDS',
});
const files = (values.files ?? '').split(',').filter((file) => file !== '');
const portOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const port = portOf(values['syslog-port']);
const tls = tlsOf();
const gatherSeconds = Number(values['gather-seconds'] ?? GATHER_SECONDS);
if ((files.length === 0 && port === undefined && !tls) || (port !== undefined && !Number.isInteger(port))) usage();
if (!(gatherSeconds > 0 && gatherSeconds <= 300)) usage();

await untilStopped((stopping) => runCollector({ ...installation, files, port, tls, gatherSeconds }, stopping));

/** Other machines reach the collector by TLS alone: with a certificate and its key. */
function tlsOf() {
  const port = portOf(values['tls-port']);
  const { 'tls-cert': cert, 'tls-key': key, 'tls-ca': ca, 'tls-host': host = '0.0.0.0' } = values;
  if (port === undefined) return undefined;
  if (!Number.isInteger(port) || cert === undefined || key === undefined) return usage();
  return { port, host, cert, key, ca };
}
