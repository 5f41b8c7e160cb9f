const width = 30;

/** A progress bar that redraws itself, or one line per step if the output is no terminal. */
export function progressBar(label: string): (done: number, total: number, note: string) => void {
  let last = '';
  return (done, total, note) => {
    const filled = total === 0 ? 0 : Math.round((done / total) * width);
    const line = `${label.padEnd(16)} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total} ${note}`;
    if (line === last) return;
    last = line;
    process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${line}${done === total ? '\n' : ''}` : `${line}\n`);
  };
}

/** Rows under headings, each column as wide as its widest cell. */
export function table(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, n) => Math.max(heading.length, ...rows.map((row) => (row[n] ?? '').length)));
  const line = (cells: string[]) => `  ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')}`.trimEnd();
  return [line(headings), line(widths.map((size) => '-'.repeat(size))), ...rows.map(line)].join('\n');
}

export const heading = (text: string): void => console.log(`\n== ${text}`);
