/** What the interface's pages may load and do (CSP 3), in a browser and in the tray's window. */
export const pagePolicy = [
  "default-src 'none'",
  // pdf.js decodes some pictures in WebAssembly.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
