import type { Block, Chart } from '../document.ts';

/** The blocks of a section, two small charts that follow each other in one group: they stand side by side. */
export function groupsOf(blocks: readonly Block[]): (readonly [Block] | readonly [ChartBlock, ChartBlock])[] {
  const groups: (readonly [Block] | readonly [ChartBlock, ChartBlock])[] = [];
  for (let n = 0; n < blocks.length; n++) {
    const [block, next] = [blocks[n], blocks[n + 1]];
    if (!block) continue;
    if (isSmall(block) && next && isSmall(next)) {
      groups.push([block, next]);
      n++;
    } else groups.push([block]);
  }
  return groups;
}

export type ChartBlock = Extract<Block, { block: 'chart' }>;

const isSmall = (block: Block): block is ChartBlock => block.block === 'chart' && isNarrow(block.chart);

/** Charts that half a page takes. */
const isNarrow = (chart: Chart): boolean => {
  if (chart.chart === 'share') return true;
  return chart.chart === 'bars' ? chart.labels.length <= 6 : chart.chart === 'lines' && chart.labels.length <= 13;
};
