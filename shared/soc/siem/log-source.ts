import type { EventFields, SiemEvent } from './event.ts';
import { firstOf } from './fields.ts';

type LogSource = Pick<SiemEvent, 'category' | 'product' | 'service'>;

/** Channels of the Windows event log by the names that Sigma gives them as services. */
const CHANNELS: Record<string, string> = {
  security: 'security',
  system: 'system',
  application: 'application',
  'windows powershell': 'powershell-classic',
  'microsoft-windows-powershell/operational': 'powershell',
  'microsoft-windows-sysmon/operational': 'sysmon',
  'microsoft-windows-taskscheduler/operational': 'taskscheduler',
  'microsoft-windows-windows defender/operational': 'windefend',
};

/** Categories of Sigma by the ids of Sysmon's events. */
const SYSMON: Record<string, string> = {
  1: 'process_creation',
  3: 'network_connection',
  6: 'driver_load',
  7: 'image_load',
  8: 'create_remote_thread',
  10: 'process_access',
  11: 'file_event',
  12: 'registry_event',
  13: 'registry_set',
  22: 'dns_query',
  23: 'file_delete',
};

/** Programs that only systems with a Linux kernel have, or on which Sigma's rules for `linux` look. */
const LINUX =
  /^(sshd|sudo|su|cron|crond|systemd(-[a-z]+)?|kernel|auditd|audit|useradd|usermod|groupadd|passwd|login|polkitd)$/;

/** Sigma's `logsource` of an event whose format names none: for Windows, Linux and CloudTrail. */
export function logSourceOf(read: LogSource, fields: EventFields): LogSource {
  const channel = firstOf(fields, ['Channel'])?.toLowerCase();
  if (channel !== undefined) return windows(read, channel, String(fields.EventID ?? ''));
  const eventSource = firstOf(fields, ['eventSource']);
  if (eventSource?.endsWith('.amazonaws.com')) return { ...read, product: 'aws', service: 'cloudtrail' };
  const service = read.service?.toLowerCase() ?? null;
  if (service !== null && LINUX.test(service)) return { ...read, product: read.product ?? 'linux', service };
  return read;
}

function windows(read: LogSource, channel: string, eventId: string): LogSource {
  const service = CHANNELS[channel] ?? read.service;
  const category =
    service === 'sysmon'
      ? SYSMON[eventId]
      : service === 'security' && eventId === '4688'
        ? 'process_creation'
        : undefined;
  return { product: 'windows', service, category: category ?? read.category };
}
