import { readFileSync } from 'node:fs';
import { addressOf } from './font-address.ts';

/** Fonts by what they draw. Noto Sans has Latin, Greek and Cyrillic letters; the others are asked for what it lacks, in this order. */
export const FONT_FILES = {
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  semibold: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
  bold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
  japanese: '@expo-google-fonts/kosugi/Kosugi_400Regular.ttf',
  chinese: '@expo-google-fonts/zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf',
  korean: '@expo-google-fonts/gowun-dodum/400Regular/GowunDodum_400Regular.ttf',
} as const;

export type FontName = keyof typeof FONT_FILES;

/** Fonts stay in memory: those of Han and Hangul have 2 to 7 MB, and are read only for a text that needs them. */
const read = new Map<FontName, Uint8Array>();

export function fontFile(name: FontName): Uint8Array {
  const known = read.get(name) ?? readFileSync(addressOf(FONT_FILES[name]));
  read.set(name, known);
  return known;
}
