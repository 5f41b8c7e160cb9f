import { EXAMPLE_ID, type Fields, type Filtered, WORDS } from '#shared/platform/filter/fields.ts';
import { CODE_HOSTS } from '../integrations/integration.ts';
import { LISTED_STATUSES } from './repository.ts';

/** The fields of filters of repositories. */
const fields: Fields = {
  vendor: { kind: 'choice', mark: 'vendor', values: CODE_HOSTS, about: 'the kind of code host', example: 'codehost_a' },
  status: { kind: 'choice', mark: 'status', values: LISTED_STATUSES, about: 'the status', example: 'active' },
  archived: { kind: 'flag', mark: 'archived', yes: 'true', about: 'archived at the code host', example: 'false' },
  integration: { kind: 'value', mark: 'integration', about: 'the id of its integration', example: EXAMPLE_ID },
  'asset.id': { kind: 'value', mark: 'asset', about: 'the id of its asset', example: EXAMPLE_ID },
  text: WORDS,
};

export const repositoryFilter: Filtered = { entity: 'repository', fields: () => fields };
