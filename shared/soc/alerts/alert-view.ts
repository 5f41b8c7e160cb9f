import type { Alert, AlertListItem, StoredAlert } from './alert.ts';

/** Without what only the index and the dashboards need. */
export const alertRecord = ({ repairs: _repairs, common: _common, ...alert }: StoredAlert): Alert => alert;

export const alertListItem = ({
  repairs: _repairs,
  common: _common,
  ...alert
}: Omit<StoredAlert, 'description'>): AlertListItem => alert;
