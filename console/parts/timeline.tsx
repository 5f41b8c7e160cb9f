import type { TimelineEntry } from '../api/types.ts';
import { texts } from '../texts.ts';
import { agoOf } from './format.ts';
import { Prose } from './prose.tsx';
import { Section } from './section.tsx';

const words = texts.timeline;

/** The events of an alert or incident with their authors. */
export const Timeline = ({ entries }: { entries: readonly TimelineEntry[] | undefined }) => (
  <Section title={words.title}>
    {entries?.length === 0 && <p class="soft">{words.none}</p>}
    <ol class="history">
      {entries?.map(({ id, at, by, kind, text, changes }) => (
        <li key={id}>
          <span>{[words.kinds[kind], Object.keys(changes ?? {}).join(', ')].filter(Boolean).join(': ')}</span>
          {text && <Prose text={text} />}
          <span class="soft small">{texts.finding.by(by.name, agoOf(at))}</span>
        </li>
      ))}
    </ol>
  </Section>
);
