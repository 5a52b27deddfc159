/** Types for the used part of seek-bzip, which has none. */
declare module 'seek-bzip' {
  class Stream {
    readByte(): number;
    writeByte(byte: number): void;
    flush(): void;
  }
  const Bunzip: {
    readonly Stream: typeof Stream;
    /** Decodes one stream. @throws TypeError if it is damaged. */
    decode(input: Stream, output: Stream): void;
  };
  export default Bunzip;
}
