import type { ComponentChildren } from 'preact';
import { texts } from '../texts.ts';

/** A part of a drawer. */
export const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="section">
    <h3>{title}</h3>
    {children}
  </section>
);

type Factor = {
  name: keyof typeof texts.finding.factors;
  value: string;
  points: number;
  most: number;
  lowerBy: string | null;
};

/** The factors of a priority with their points, which add up to it. */
export const Factors = ({ factors }: { factors: readonly Factor[] }) => (
  <ul class="factors">
    {factors.map(({ name, value, points, most, lowerBy }) => (
      <li key={name} class={points === 0 ? 'soft' : ''}>
        <span>
          <b>{texts.finding.factors[name]}</b> {value}
          {lowerBy && <span class="soft small"> – {lowerBy}</span>}
        </span>
        <progress value={points} max={most} aria-hidden="true" />
        <span class="number small">{Math.round(points)}</span>
      </li>
    ))}
  </ul>
);
