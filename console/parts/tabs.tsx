import { Link, useLocation } from 'wouter-preact';

type TabsProps = { label: string; tabs: readonly { path: string; title: string }[] };

/** Pages that show the same records in other ways. */
export function Tabs({ label, tabs }: TabsProps) {
  const [here] = useLocation();
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ path, title }) => (
        <Link key={path} href={path} aria-current={here === path ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
