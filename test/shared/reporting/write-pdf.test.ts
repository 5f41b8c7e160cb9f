import { describe, expect, test } from 'vitest';
import type { Block, Tile } from '#shared/reporting/document.ts';
import { readPdf } from '#test/support/pdf.ts';
import { exampleReport, pdfOf } from './example.ts';

const reportOf = (...blocks: Block[]) =>
  exampleReport({ sections: [{ id: 'one', title: 'One', appendix: false, startsPage: false, blocks }] });

/** A text reads as it was written, whatever the lines. */
const joined = (pdf: ReturnType<typeof readPdf>) => pdf.texts.map(({ text }) => text).join('');

describe('a report as PDF', () => {
  test('is the same byte for byte, has its texts, its heads and the number of each page', async () => {
    const bytes = await pdfOf(exampleReport());
    expect((await pdfOf(exampleReport())).equals(bytes)).toBe(true);
    const pdf = readPdf(bytes);
    const text = joined(pdf);
    expect(text).toContain('The exposure is better than in September: 212 fewer findings are open, and nine');
    for (const name of [
      'Größenkatalog für Händler',
      'Εφαρμογή Πελατών',
      'Складской учёт',
      '在庫管理システム',
      '客户服务平台',
    ])
      expect(text).toContain(name);
    const heads = pdf.texts.filter(({ text: own }) => own === 'Reason').map(({ page }) => page);
    expect(heads).toEqual([3, 4]);
    expect(pdf.texts.filter(({ text: own }) => own === `${pdf.pages} / ${pdf.pages}`)).toHaveLength(1);
    expect(text).toContain('No values in this period');
    expect(text).toContain('10 of 312 rows');
  });

  test('keeps names of 200 letters inside its page, with all of their letters', async () => {
    const long = `${'x'.repeat(100)}${'Ж'.repeat(50)}${'漢'.repeat(50)}`;
    const cell = { text: long, link: 'https://example.com/' };
    const tile: Tile = { label: long, value: long, change: long, tone: 'worse', spark: [1, 2], link: null };
    const report = reportOf(
      { block: 'verdict', tone: 'worse', label: long, text: long },
      { block: 'tiles', tiles: [tile, tile, tile, tile, tile] },
      { block: 'decisions', decisions: [{ text: long, owner: long, dueDate: null, link: null }] },
      {
        block: 'chart',
        id: 'c',
        title: long,
        text: long,
        chart: { chart: 'bars', labels: [long], values: [1], links: [null] },
      },
      {
        block: 'table',
        id: 't',
        title: long,
        columns: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => ({
          key,
          label: long,
          align: 'right',
          share: 1,
        })),
        rows: [Array.from({ length: 8 }, () => cell)],
        empty: '',
        total: 1,
      },
    );
    const pdf = readPdf(
      await pdfOf({
        ...report,
        title: long,
        subtitle: long,
        classification: long,
        brand: { ...report.brand, organization: long, footer: long },
      }),
    );
    expect(pdf.texts.filter(({ x, right }) => x < 0 || right > 595.28)).toEqual([]);
    const body = pdf.texts.filter(({ y }) => y > 60 && y < 810).map(({ text }) => text);
    for (const [letter, times] of [
      ['x', 100],
      ['Ж', 50],
      ['漢', 50],
    ] as const)
      expect(body.join('').split(letter).length - 1).toBeGreaterThanOrEqual(42 * times);
  });

  test('takes texts from outside as texts: none ends a string of the file, opens a program or breaks its metadata', async () => {
    const evil = '(a) Tj ET) /OpenAction << /S /JavaScript /JS (x) >> \\ </rdf:li> & \u0000\ud800 😀 ا';
    const report = reportOf({
      block: 'table',
      id: 't',
      title: evil,
      columns: [{ key: 'a', label: 'A', align: 'left', share: 1 }],
      rows: [[{ text: evil, link: 'javascript:alert(1)' }], [{ text: 'safe', link: 'https://example.com/)(' }]],
      empty: '',
      total: 2,
    });
    const { source, texts } = readPdf(await pdfOf({ ...report, title: evil }));
    expect(texts.some(({ text }) => text.includes('/S /JavaScript /JS (x)'))).toBe(true);
    expect(source.match(/\/(OpenAction|JavaScript|JS|Launch)\b(?=[^()]*>>)/g)).toBeNull();
    expect([...source.matchAll(/\/URI \((.*)\)/g)].map(([, link]) => link)).toEqual(['https://example.com/\\)\\(']);
    expect(source).toContain('&lt;/rdf:li&gt; &amp;');
    expect(source).not.toContain(' </rdf:li> &');
  });

  test('of an empty organization has words, not empty pages', async () => {
    const empty: Block[] = [
      { block: 'tiles', tiles: [] },
      { block: 'decisions', decisions: [] },
      { block: 'chart', id: 'a', title: 'A', text: '', chart: { chart: 'share', parts: [] } },
      { block: 'chart', id: 'b', title: 'B', text: '', chart: { chart: 'bars', labels: [], values: [], links: [] } },
      {
        block: 'chart',
        id: 'c',
        title: 'C',
        text: '',
        chart: { chart: 'stacked-bars', labels: [], series: [], lines: [] },
      },
      { block: 'table', id: 'd', title: 'D', columns: [], rows: [], empty: 'Nothing is open.', total: 0 },
    ];
    const report = { ...reportOf(...empty), provenance: [], language: 'de' as const };
    const pdf = readPdf(await pdfOf(report));
    expect(pdf.pages).toBe(1);
    expect(pdf.texts.filter(({ text }) => text === 'Keine Werte in diesem Zeitraum')).toHaveLength(3);
    expect(joined(pdf)).toContain('Nothing is open.');
  });
});
