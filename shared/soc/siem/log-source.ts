import { cloudSource } from './cloud-log.ts';
import type { EventFields, SiemEvent } from './event.ts';
import { firstOf } from './fields.ts';
import { windowsSource } from './windows-log.ts';

type LogSource = Pick<SiemEvent, 'category' | 'product' | 'service'>;

/** Programs that only systems with a Linux kernel have, or on which Sigma's rules for `linux` look. */
const LINUX =
  /^(sshd|sudo|su|cron|crond|systemd(-[a-z]+)?|kernel|auditd|audit|useradd|usermod|groupadd|passwd|login|polkitd)$/;

/** Programs that write what another one wrote before: OpenSSH 9.8 has its sessions in programs of their own. */
const SAME_AS: Readonly<Record<string, string>> = { 'sshd-session': 'sshd', 'sshd-auth': 'sshd' };

/** Sigma's `logsource` of an event whose format names none. */
export function logSourceOf(read: LogSource, fields: EventFields): LogSource {
  const channel = firstOf(fields, ['Channel']);
  if (channel !== null) {
    const product = /^linux-sysmon\//i.test(channel) ? 'linux' : 'windows';
    return { ...read, product, ...windowsSource(channel, fields) };
  }
  const cloud = cloudSource(fields);
  if (cloud) return { ...read, ...cloud };
  const program = read.service?.toLowerCase() ?? null;
  const service = program === null ? null : (SAME_AS[program] ?? program);
  // Cisco's devices write the kind of a message in place of a program: %ASA-6-302013
  if (service?.startsWith('%')) return { ...read, product: read.product ?? 'cisco', service };
  if (service !== null && LINUX.test(service)) return { ...read, product: read.product ?? 'linux', service };
  return read;
}
