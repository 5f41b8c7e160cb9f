import type { Alert, AlertListItem, StoredAlert } from '#shared/entities/alert.ts';

/** Without the times before it was opened again, which only the dashboards need. */
export const view = ({ repairs: _repairs, ...alert }: StoredAlert): Alert => alert;

export const listItem = ({ repairs: _repairs, ...alert }: Omit<StoredAlert, 'description'>): AlertListItem => alert;
