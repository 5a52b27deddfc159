/** The thread that encodes bands: one order in, one part out. */
import { encodeBand, type BandOrder, type BandPart } from './band.ts';

export default function work(order: BandOrder): Promise<BandPart> {
  return Promise.resolve(encodeBand(order));
}
