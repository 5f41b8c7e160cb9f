import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link, useLocation, useParams } from 'wouter-preact';

type TabsProps = {
  label: string;
  tabs: readonly { path: string; title: string }[];
  /** The path of the tab in view, where it is not that of the page. */
  current?: string;
};

/** Pages that show the same records in other ways. On a narrow screen the current one is scrolled into view. */
export function Tabs({ label, tabs, current }: TabsProps) {
  const [location] = useLocation();
  const here = current ?? location;
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [here]);
  return (
    <nav ref={row} class="tabs" aria-label={label}>
      {tabs.map(({ path, title }) => (
        <Link key={path} href={path} aria-current={here === path ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

type Part = { part: string; title: string; Content: ComponentType };
type PartsProps = { path: string; title: string; label: string; parts: readonly [Part, ...Part[]] };

/** A page of several parts, each at an address of its own; the first one is at that of the page, too. */
export function PageOfParts({ path, title, label, parts }: PartsProps) {
  const { id } = useParams();
  const { part, Content } = parts.find((one) => one.part === id) ?? parts[0];
  return (
    <div class="page">
      <h1>{title}</h1>
      <Tabs
        label={label}
        tabs={parts.map((one) => ({ path: `${path}/${one.part}`, title: one.title }))}
        current={`${path}/${part}`}
      />
      <Content />
    </div>
  );
}
