/** What of seek-bzip is used; it comes without types. */
declare module 'seek-bzip' {
  class Stream {
    readByte(): number;
    writeByte(byte: number): void;
    flush(): void;
  }
  const Bunzip: {
    readonly Stream: typeof Stream;
    /** Decodes one stream. @throws TypeError for what is damaged. */
    decode(input: Stream, output: Stream): void;
  };
  export default Bunzip;
}
