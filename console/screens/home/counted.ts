import type { Overview } from '../../api/types.ts';

/** Assets and integrations are missing for a person whose role holds for a part of the organization. */
export type Counted = Pick<Overview, 'findings' | 'vulnerabilities'> &
  Partial<Pick<Overview, 'assets' | 'integrations'>>;
