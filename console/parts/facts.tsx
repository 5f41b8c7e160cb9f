import type { ComponentChildren } from 'preact';

type FactsProps = { rows: readonly (readonly [label: string, value: ComponentChildren])[] };

/** Names with their values; facts that nobody knows are left out. */
export const Facts = ({ rows }: FactsProps) => {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false);
  return (
    <dl class="fact-list">
      {known.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

export const Tags = ({ tags }: { tags: readonly string[] }) => (
  <p class="tags">
    {tags.map((tag) => (
      <span key={tag} class="tag">
        {tag}
      </span>
    ))}
  </p>
);
