import { describe, expect, test } from 'vitest';
import type { Block } from '#shared/reporting/document.ts';
import { writeHtml } from '#shared/reporting/write/html.ts';
import { exampleReport } from './example.ts';

const reportOf = (...blocks: Block[]) =>
  exampleReport({ sections: [{ id: 'one', title: 'One', appendix: false, startsPage: false, blocks }] });

/** Every tag of a page, with its attributes. */
const tagsOf = (html: string) => [...html.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag);

describe('a report as HTML', () => {
  const html = writeHtml(exampleReport());

  test('is the same each time, runs nothing and loads nothing', () => {
    expect(writeHtml(exampleReport())).toBe(html);
    expect(html).toMatch(/content="default-src &#39;none&#39;; style-src &#39;sha256-[\w+/]{43}=&#39;;/);
    expect(
      tagsOf(html).filter((tag) => /^<(script|link|iframe|object|base)\b|\son\w+=|\sstyle=|\ssrc=/.test(tag)),
    ).toEqual([]);
  });

  test('has its headings in order, heads of tables, and words beside each chart', () => {
    expect([...html.matchAll(/<h([1-6])/g)].map(([, level]) => level).join('')).toMatch(/^1(23*)+$/);
    expect(html).toContain('<th scope="col" class="left">Application</th>');
    expect(html).toContain('<figcaption>No incident was recorded.</figcaption>');
    expect(html).toContain('>No values in this period</text>');
    expect(html).toContain('Each network was scanned within 90 days.');
    expect(html).toContain('lang="en"');
  });

  test('speaks German and French, with their numbers and dates', () => {
    const table = reportOf({
      block: 'table',
      id: 't',
      title: 'T',
      columns: [{ key: 'a', label: 'A', align: 'right', share: 1 }],
      rows: [[1234567.5]],
      empty: '',
      total: 4711,
    });
    const german = writeHtml({ ...table, language: 'de' });
    expect(german).toContain('1.234.567,5');
    expect(german).toContain('Stand der Daten: 1. November 2026 um 06:00 (UTC)');
    expect(german).toContain('1 von 4.711 Zeilen');
    const french = writeHtml({ ...table, language: 'fr' });
    expect(french.replace(/\s/g, ' ')).toContain('1 234 567,5');
    expect(french).toContain('Données au 1 novembre 2026');
  });

  test('takes texts from outside as texts, whatever they hold', () => {
    const evil = `"><script>alert(1)</script></style></title><img src=x onerror=alert(1)>'&\u0000\ud800`;
    const cell = { text: evil, link: 'javascript:alert(1)' };
    const written = writeHtml({
      ...reportOf(
        { block: 'verdict', tone: 'worse', label: evil, text: evil },
        { block: 'text', text: evil },
        {
          block: 'tiles',
          tiles: [{ label: evil, value: evil, change: evil, tone: 'none', spark: [1, 2], link: 'data:text/html,x' }],
        },
        {
          block: 'decisions',
          decisions: [{ text: evil, owner: evil, dueDate: null, link: 'https://example.com/"onclick="x' }],
        },
        {
          block: 'chart',
          id: evil,
          title: evil,
          text: evil,
          chart: { chart: 'bars', labels: [evil], values: [1], links: ['vbscript:x'] },
        },
        {
          block: 'table',
          id: evil,
          title: evil,
          columns: [{ key: evil, label: evil, align: 'left', share: 1 }],
          rows: [[cell]],
          empty: evil,
          total: 1,
        },
      ),
      title: evil,
      subtitle: evil,
      classification: evil,
      brand: { organization: evil, logo: evil, colour: `red}</style>${evil}`, accent: evil, footer: evil },
      provenance: [{ label: evil, text: evil }],
    });
    const names = new Set(tagsOf(written).map((tag) => /^<[a-z0-9]+/.exec(tag)?.[0]));
    expect([...names].filter((name) => name && ['<script', '<img'].includes(name))).toEqual([]);
    expect([...written.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '#part-1',
      'https://example.com/%22onclick=%22x',
    ]);
    expect(written.isWellFormed() && !written.includes('\u0000')).toBe(true);
  });
});
