import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { detect } from '#shared/soc/detection/detect.ts';
import { rulesChanged } from '#shared/soc/detection/mark.ts';
import { createRule } from '#shared/soc/detection/save-rule.ts';
import { STARTER_VERSION } from '#shared/soc/detection/starter.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { newOrganization } from '../store.ts';
import { eventOf, SOURCE } from './events.ts';

export const START = Date.UTC(2026, 10, 12, 10);
export const timeOf = (seconds: number) => new Date(START + seconds * 1000).toISOString();

export const FAILED = `title: Failed login
name: failed
logsource: { service: sshd }
detection:
  selection:
    message|startswith: Failed
  condition: selection
level: high
tags: [attack.t1110]
`;
export const counted = (condition: string, type = 'event_count') => `${FAILED}---
title: Many failed logins
correlation:
  type: ${type}
  rules: [failed]
  group-by: [src_ip]
  timespan: 1m
  condition: ${condition}
`;

/** An organization with these rules and without those of the service. */
export async function organizationWith(dynamo: Dynamo, contents: readonly string[]): Promise<Table> {
  setClock(() => START + 600_000);
  const table = newOrganization(dynamo);
  const batch = table.batch();
  batch.write(rulesChanged(table, { starter: STARTER_VERSION }));
  await batch.commit();
  for (const content of contents) await createRule(table, { content, enabled: true });
  return table;
}

export const failed = (seconds: number, more: Partial<SiemEvent> = {}) =>
  eventOf({ at: timeOf(seconds), message: 'Failed password for root from 203.0.113.7 port 1', ...more });
export const all = async (table: Table) => (await table.list(alerts, { paginateFrom: 0, paginateSize: 500 })).data;
export const deliver = (table: Table, batchId: string, events: readonly SiemEvent[]) =>
  detect({ table, zone: null }, { batchId, sourceId: SOURCE, events });

/** A correlation over stored rules. */
export const over = (rules: string, more: string) => `title: Over others
correlation: { rules: ${rules}, timespan: 5m, ${more} }
`;

export const MANY = counted('{ gte: 3 }').replace('title: Many', 'name: many\ntitle: Many');
