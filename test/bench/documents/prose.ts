/** Generates text that resembles English, the same in every run. */
import { pick, randomOf, type Random } from '../../soak/random.ts';

const words =
  'the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would their we him been has when who will more no if out so said what up its about into than them can only other new some could time these two may then do first any my now such like our over man me even most made after also did many before must through back years where much your way well down should because each just those people how too little state good very make world still own see men work long get here between both life being under never day same another know while last might us great old year off come since against go came right used take three'.split(
    ' ',
  );

export function openProse(seed: number): { readonly paragraph: (sentences: number) => string } {
  const random = randomOf(seed);
  return {
    paragraph: (sentences) => `<p>${Array.from({ length: sentences }, () => sentence(random)).join(' ')}</p>`,
  };
}

function sentence(random: Random): string {
  const length = 6 + Math.floor(random() * 14);
  const text = Array.from({ length }, () => pick(words, random)).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Returns a complete HTML document. */
export function page(title: string, style: string, body: string): string {
  const base = 'body { font: 16px/1.5 "Liberation Sans", Arial, sans-serif; margin: 0 }';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${base} ${style}</style></head><body>${body}</body></html>`;
}
