import { PageOfParts } from '../../parts/tabs.tsx';
import '../../style/administration.css';
import '../../style/settings.css';
import { settings } from '../../texts/settings.ts';
import { General } from './general.tsx';
import { SavedFilters } from './saved-filters.tsx';
import { Sla } from './sla.tsx';
import { Suppression } from './suppression.tsx';
import { TagRules } from './tag-rules.tsx';

const { tabs, title, label } = settings;

const PARTS = [
  { part: 'general', title: tabs.general, Content: General },
  { part: 'sla', title: tabs.sla, Content: Sla },
  { part: 'suppression', title: tabs.suppression, Content: Suppression },
  { part: 'tags', title: tabs.tags, Content: TagRules },
  { part: 'filters', title: tabs.filters, Content: SavedFilters },
] as const;

/** The rules by which the organization works. */
const Settings = () => <PageOfParts path="/settings" title={title} label={label} parts={PARTS} />;

export const parts = { List: Settings, Page: Settings };
