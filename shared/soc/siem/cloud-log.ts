import type { EventFields, SiemEvent } from './event.ts';
import { firstOf } from './fields.ts';

type Source = Pick<SiemEvent, 'product' | 'service'>;

/** Tables of Azure by Sigma's services. */
const AZURE: Readonly<Record<string, string>> = {
  administrative: 'activitylogs',
  policy: 'activitylogs',
  auditlogs: 'auditlogs',
  signinlogs: 'signinlogs',
  noninteractiveusersigninlogs: 'signinlogs',
  serviceprincipalsigninlogs: 'signinlogs',
  userriskevents: 'riskdetection',
};

/** Workloads of Microsoft 365 by Sigma's services. */
const M365: Readonly<Record<string, string>> = {
  exchange: 'exchange',
  securitycompliancecenter: 'threat_management',
  threatintelligence: 'threat_detection',
};

/** Sigma's product and service of an event of a cloud service, by members that only its log has. */
export function cloudSource(fields: EventFields): Source | undefined {
  const has = (...names: readonly string[]) => names.every((name) => Object.hasOwn(fields, name));
  const text = (name: string) => firstOf(fields, [name])?.toLowerCase() ?? '';
  if (text('eventSource').endsWith('.amazonaws.com')) return { product: 'aws', service: 'cloudtrail' };
  if (text('apiVersion').startsWith('audit.k8s.io/')) return { product: 'kubernetes', service: 'audit' };
  if (text('protoPayload.@type').endsWith('google.cloud.audit.auditlog'))
    return { product: 'gcp', service: 'gcp.audit' };
  if (has('eventType', 'outcome.result', 'actor.alternateId')) return { product: 'okta', service: 'okta' };
  if (has('Workload', 'RecordType', 'Operation')) {
    return { product: 'm365', service: M365[text('Workload')] ?? 'audit' };
  }
  if (has('operationName', 'category')) {
    const service = AZURE[text('category')];
    if (service !== undefined) return { product: 'azure', service };
  }
  const isOfGithub = has('action', '_document_id') || has('action', 'org', 'actor', '@timestamp');
  return isOfGithub ? { product: 'github', service: 'audit' } : undefined;
}
