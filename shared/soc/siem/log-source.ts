import type { EventFields, SiemEvent } from './event.ts';
import { firstOf } from './fields.ts';
import { windowsSource } from './windows-log.ts';

type LogSource = Pick<SiemEvent, 'category' | 'product' | 'service'>;

/** Programs that only systems with a Linux kernel have, or on which Sigma's rules for `linux` look. */
const LINUX =
  /^(sshd|sudo|su|cron|crond|systemd(-[a-z]+)?|kernel|auditd|audit|useradd|usermod|groupadd|passwd|login|polkitd)$/;

/** Programs that write what another one wrote before: OpenSSH 9.8 has its sessions in programs of their own. */
const SAME_AS: Readonly<Record<string, string>> = { 'sshd-session': 'sshd', 'sshd-auth': 'sshd' };

/** Sigma's `logsource` of an event whose format names none: for Windows, Linux and CloudTrail. */
export function logSourceOf(read: LogSource, fields: EventFields): LogSource {
  const channel = firstOf(fields, ['Channel']);
  if (channel !== null) return { ...read, product: 'windows', ...windowsSource(channel, fields) };
  const eventSource = firstOf(fields, ['eventSource']);
  if (eventSource?.endsWith('.amazonaws.com')) return { ...read, product: 'aws', service: 'cloudtrail' };
  const program = read.service?.toLowerCase() ?? null;
  const service = program === null ? null : (SAME_AS[program] ?? program);
  if (service !== null && LINUX.test(service)) return { ...read, product: read.product ?? 'linux', service };
  return read;
}
