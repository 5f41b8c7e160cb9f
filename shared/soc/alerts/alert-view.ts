import type { Alert, AlertListItem, StoredAlert } from './alert.ts';

/** Without the times before its reopening, which only the dashboards need. */
export const alertRecord = ({ repairs: _repairs, ...alert }: StoredAlert): Alert => alert;

export const alertListItem = ({ repairs: _repairs, ...alert }: Omit<StoredAlert, 'description'>): AlertListItem =>
  alert;
