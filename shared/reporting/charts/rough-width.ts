const NARROW = /[iljtfrI.,:;'|!()[\] ]/;
const BROAD = /[mwMW@%]/;
const FULL = /[\u1100-\u11ff\u2e80-\ud7af\uf900-\ufaff\uff00-\uffef]/;

/** About the width of a text in a browser's own font, rather too much than too little. */
export function roughWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) {
    if (NARROW.test(letter)) width += 0.36;
    else if (BROAD.test(letter)) width += 0.95;
    else if (FULL.test(letter) || letter > '\uffff') width += 1.05;
    else if (letter >= 'a' && letter <= 'z') width += 0.58;
    else width += 0.7;
  }
  return width * size;
}

/** A text with its end left out where it takes more room than so many times the size of its letters. */
export function shortened(text: string, room: number): string {
  if (roughWidth(text, 1) <= room) return text;
  let short = '';
  for (const letter of text) {
    if (roughWidth(`${short}${letter}…`, 1) > room) break;
    short += letter;
  }
  return `${short.trimEnd()}…`;
}
