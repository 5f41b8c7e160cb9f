import { toolKey } from '#shared/findings/finding/finding-words.ts';
import type { Fields, Filtered } from '#shared/platform/filter/fields.ts';
import { IMPORT_STATUSES } from './imported-report.ts';

/** The fields of filters of imports. */
const fields: Fields = {
  status: { kind: 'choice', mark: 'status', values: IMPORT_STATUSES, about: 'the status', example: 'succeeded' },
  tool: { kind: 'value', mark: 'tool', spelled: toolKey, about: 'a tool of the report', example: 'trivy' },
  held: { kind: 'flag', mark: 'held', yes: 'true', about: 'closings wait for a confirmation', example: 'true' },
};

export const importFilter: Filtered = { entity: 'import', fields: () => fields };
