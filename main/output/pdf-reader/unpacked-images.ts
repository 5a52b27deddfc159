/** Finds out whether a print has large images that Chromium did not take from a file as they are. */
import { nextTurn } from '../../async/yielding.ts';

/** In bytes. */
const minImageSize = 100_000;
/** Bytes that are searched before the event loop continues: about 10 ms of work. */
const searchedSlice = 8_000_000;
/** Chromium's dictionary of an image is shorter. */
const maxDictionary = 400;

/** Returns whether the document has one, in linear time. Reads the dictionaries as Chromium writes them. */
export async function hasLargeUnpackedImage(bytes: Buffer): Promise<boolean> {
  if (bytes.length < minImageSize) return false;
  let from = 0;
  let turnAt = searchedSlice;
  while (from < bytes.length) {
    const slice = bytes.subarray(from, from + searchedSlice + maxDictionary);
    const found = slice.indexOf('/Subtype /Image', 0, 'latin1');
    if (found === -1) from += searchedSlice;
    else {
      const dictionary = slice.toString('latin1', found, found + maxDictionary);
      const length = /\/Filter \/FlateDecode\s\/Length (\d+)/.exec(dictionary)?.[1];
      if (Number(length) >= minImageSize) return true;
      from += found + 1;
    }
    if (from < turnAt) continue;
    await nextTurn();
    turnAt = from + searchedSlice;
  }
  return false;
}
