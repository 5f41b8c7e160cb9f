import type { SiemEvent } from '#shared/soc/siem/event.ts';

export const SOURCE = '019bc0ab-2400-7334-8000-000000000001';

/** An event of sshd on web-01, but for what is given. */
export const eventOf = (more: Partial<SiemEvent> = {}): SiemEvent => ({
  at: '2026-11-12T10:00:00.000Z',
  receivedAt: '2026-11-12T10:00:00.000Z',
  sourceId: SOURCE,
  format: 'json',
  severity: 'info',
  host: 'web-01',
  user: null,
  action: null,
  category: null,
  product: 'linux',
  service: 'sshd',
  message: '',
  fields: {},
  raw: '',
  ...more,
});
