/** The frame of a program that runs apart: one errand in, one answer out, and its end. */
import { readFileSync } from 'node:fs';
import { packed, unpacked, type Parcel } from './errand.ts';

/** To be called once. What `work` throws ends the program with code 1. */
export function answerErrand(work: (errand: Parcel) => Parcel | Promise<Parcel>): void {
  const { stdout } = process;
  const errand = unpacked(readFileSync(0));
  void Promise.resolve(work(errand)).then((answer) => {
    for (const part of packed(answer)) stdout.write(part);
  });
}
