import { Link, useParams } from 'wouter-preact';
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
];

/** The rules by which the organization works. */
function Settings() {
  const { id: part = 'general' } = useParams();
  const Content = PARTS.find((one) => one.part === part)?.Content ?? General;
  return (
    <div class="page">
      <h1>{title}</h1>
      <nav class="tabs" aria-label={label}>
        {PARTS.map((one) => (
          <Link key={one.part} href={`/settings/${one.part}`} aria-current={one.part === part ? 'page' : undefined}>
            {one.title}
          </Link>
        ))}
      </nav>
      <Content />
    </div>
  );
}

export const parts = { List: Settings, Page: Settings };
