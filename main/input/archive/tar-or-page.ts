/** What comes out of gzip and bzip2: a tar archive, or else the one page that was packed. */
import { refusal } from './refusal.ts';
import { isTar } from './recognition.ts';
import { openTar, type Sink, type TarTarget } from './tar.ts';

const blockSize = 512;

/** Decides by the first block, once it has come. */
export function openTarOrPage(target: TarTarget): Sink {
  let [waiting, sink]: [Buffer, Sink | undefined] = [Buffer.alloc(0), undefined];
  const decide = (): Sink => {
    const opened = isTar(waiting) ? openTar(target) : openPage(target);
    opened.write(waiting);
    return opened;
  };
  return {
    write(chunk) {
      target.meter.add(chunk.length);
      if (sink !== undefined) {
        sink.write(chunk);
        return;
      }
      waiting = Buffer.concat([waiting, chunk]);
      if (waiting.length >= blockSize) sink = decide();
    },
    end() {
      if (waiting.length === 0) throw refusal('The archive is empty; send one with an HTML file in it.');
      (sink ?? decide()).end();
    },
  };
}

function openPage({ tree, meter }: TarTarget): Sink {
  meter.countEntry();
  return tree.addFile('index.html');
}
