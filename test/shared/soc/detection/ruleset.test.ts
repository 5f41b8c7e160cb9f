import { expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { readContent } from '#shared/soc/detection/rule-fields.ts';
import { readyRule } from '#shared/soc/detection/ruleset.ts';
import { readSigma } from '#shared/soc/sigma/read.ts';

test('a rule that is kept counts with its expressions, which take more memory than its text', async () => {
  const bytesOf = async (pattern: string) => {
    const content = `title: x\nlogsource: {product: linux}\ndetection: {a: {f|re: '${pattern}'}, condition: a}\nlevel: low`;
    const text = await readSigma(content);
    return (await readyRule({ ...(await readContent(content)), id: newId(), version: 1, text })).bytes;
  };
  expect((await bytesOf('(a|b){300}')) - (await bytesOf('(a|b){003}'))).toBeGreaterThan(300 * 133);
});
