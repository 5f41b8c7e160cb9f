import { openService } from '#local/reference-machine/service.ts';
import { reportOf } from '#local/reference-scanner/send-report.ts';

/** Run in a process of its own: uploads a report as the scanner does, and prints how and with how much memory. */
const [url = '', clientId = '', clientSecret = '', file = ''] = process.argv.slice(2);
const service = openService(url, () => ({ clientId, clientSecret }));
const sending = { service, begun: async () => undefined, signal: AbortSignal.timeout(120_000) };
const report = await reportOf({ file, format: 'sarif' }, sending);
console.log(JSON.stringify({ ...report, residentMb: Math.round(process.resourceUsage().maxRSS / 1024) }));
