import { texts } from '../texts.ts';

/** Where the first records of a list come from. */
export const FROM_REPORTS = { path: '/imports', label: texts.list.starts.reports };
export const FROM_MACHINES = { path: '/administration/keys', label: texts.list.starts.machines };
export const FROM_INTEGRATIONS = { path: '/integrations', label: texts.list.starts.integrations };
