/** Provides a sample value for every field of Pdfcrowd's official clients. One conversion can use all values together. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { optionNames, table, type OptionRow } from '../../../main/job/options.ts';

/** A self-signed client certificate as PKCS #12, with the password `secret`. */
const certificate = Buffer.from(
  'MIIEDAIBAzCCA8IGCSqGSIb3DQEHAaCCA7MEggOvMIIDqzCCAmIGCSqGSIb3DQEHBqCCAlMwggJPAgEAMIICSAYJKoZIhvcNAQcBMFcG' +
    'CSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiIhLsFfud7HAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEH73PiVvmDU6' +
    '+1n3uvAOSyyAggHgfUqR835COSQfgvNENiwVyUkuTu7AxQagTZNE6YFEB6iqDQVvNNyzv7HIkdSUoPPoYkU4h/DCxhulHznKYdKdp9LU' +
    'lRRYnXTxkQTl0Qc0HsasMbf+Mu6TKx5SFTIeYOeEW0ReFdRxBlUlR8nooF/JDVgJuCNStROnG6TnWACezFSp0PAUm71OSGVu8/vzFJ8o' +
    '0MVRI522a9Ug5WpgjhU+qpfb8itOmtPQ4nHbBCV0VFf/iPi++NA4nlKBbLC8uyOo1FBCiDV3UhnbVo6HLN7BWubo/GVbDu81X97fixV8' +
    'dXw5ixknRNfcg3jB7dYasb1IgXrmewy8toL1RvtIjBi9CMWvCBZCATAL9qfS7rUj1JfTsuua+wtWeXDFep6co54z5d9AwA7bRVbJHgMk' +
    'WG6HgnDWEyHia2T8ngzS/Tj2/sncSHulfobMUg8nJRACGZ5FLrvYwR6Rw8Ze4s6Sz8oxkH2FEs4v1zGULOubhvc7KQFRe23cqQ/lMKdY' +
    'G3IGijqwC5fMtrBUrikl2pE8LMxhEspRFHYYqAMxYbRTtuEFcPyyK1xo1h5DXBDyEyVcs8CA4I4+IuQX47dq0q45miTdikSF99NvXB8L' +
    'MNLXv/yfV1OXFK6bZVs8Dy87j/stLxX9MIIBQQYJKoZIhvcNAQcBoIIBMgSCAS4wggEqMIIBJgYLKoZIhvcNAQwKAQKgge8wgewwVwYJ' +
    'KoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECOGWuZfujOP/AgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQINmdVB8zMPtE' +
    'eXQKzG9MxwSBkKRmMa06hibuS5aE2qBJ9UCbFfid3Sagmvlh7r4K2wOat2UQhYfOBgTnkyuhRIdmgzyNw/vjavpv/JEKZcdhilq8oh+t' +
    'M1lH1PTGgLqMbC1otYt21cfQOK+PAXT83paJ6l5muMhkyLkFe6lEq4uzlRNzONSMrGzCBvF0XigaVSQgLelSssCbGKtydwPSEw96zDEl' +
    'MCMGCSqGSIb3DQEJFTEWBBSL+zxiZDMgquC22iHZpRTRNtJRlDBBMDEwDQYJYIZIAWUDBAIBBQAEINJqJCPCGZolCEqNr7Z2GHH/jQtE' +
    'V0agzYpBpX13dEkxBAjpKcSs+PkiWAICCAA=',
  'base64',
);

export interface SampleLocations {
  /** The folder of the written files. */
  readonly folder: string;
  /** HOST:PORT of a web server and proxy that responds to every path. */
  readonly host: string;
}

/** The page to convert. */
export const samplePage = `<!doctype html><title>Sample</title><article id="main"><h1>Dear {{ name }}</h1>
${'<p>A paragraph, long enough for an article, without any information.</p>'.repeat(30)}</article>`;

/** Writes the files, and resolves with a function that returns the value of a field; for a file field, the path of a file. */
export async function writeSamples(locations: SampleLocations): Promise<(field: string) => unknown> {
  const special = { ...texts(locations), ...(await files(locations)) };
  return (field) => (special as Readonly<Record<string, unknown>>)[field] ?? defaultSample(field);
}

/** Returns `true` for a boolean, a value other than the default for an enumeration, or else the first example or the minimum. */
function defaultSample(field: string): unknown {
  const option = optionNames.find((name) => name === field);
  if (option === undefined) throw new Error(`${field} has no sample`);
  const row: OptionRow = table[option];
  const { type, examples = [], minimum } = row.kind.schema;
  const words = row.kind.schema.enum?.filter((word) => word !== row.default);
  return type === 'boolean' ? true : (words?.[0] ?? examples[0] ?? minimum ?? 'sample');
}

function texts({ host }: SampleLocations) {
  const piece = `http://${host}/piece.html`;
  const image = `http://${host}/image.png`;
  return {
    zip_main_filename: 'index.html',
    header_url: piece,
    footer_url: piece,
    header_html: 'Header',
    footer_html: 'Footer',
    page_watermark_url: image,
    multipage_watermark_url: image,
    page_background_url: image,
    multipage_background_url: image,
    http_proxy: host,
    https_proxy: host,
    page_width: '200mm',
    page_height: '280mm',
    content_area_width: '150mm',
    content_area_height: '200mm',
    print_page_range: '1',
    element_to_convert: '#main',
    wait_for_element: '#main',
    custom_css: 'p { color: red }',
    custom_javascript: '1 + 1',
    on_load_javascript: '1 + 1',
    javascript_delay: 10,
    max_loading_time: 10,
    screenshot_width: 400,
    screenshot_height: 300,
    viewport_width: 800,
    viewport_height: 600,
    scale_factor: 120,
    header_footer_scale_factor: 90,
    jpeg_quality: 80,
    image_dpi: 150,
    initial_zoom: 150,
    page_numbering_offset: 1,
    content_viewport_width: '800px',
    content_viewport_height: '2000px',
    data_string: '{"name": "Ann"}',
    data_format: 'json',
    data_options: 'data_root=data',
    data_encoding: 'utf-8',
    // The client can send alternative fields for the same data together.
    data_variable_markers: 'standard',
    conversion_config: '{"pageSetup": [{"pages": "1", "marginTop": "1in"}]}',
    client_certificate_password: 'secret',
    converter_user_agent: 'latest-chrome-desktop',
  };
}

async function files({ folder }: SampleLocations) {
  const path = (name: string, contents: string | Buffer) => {
    writeFileSync(join(folder, name), contents);
    return join(folder, name);
  };
  const image = path('image.png', await sampleImage());
  return {
    page_watermark: image,
    multipage_watermark: image,
    page_background: image,
    multipage_background: image,
    data_file: path('data.json', '{"name": "Ann"}'),
    conversion_config_file: path('config.json', '{"pageSetup": []}'),
    client_certificate: path('client.p12', certificate),
  };
}

/** A translucent grey square. */
export function sampleImage(): Promise<Buffer> {
  const background = { r: 128, g: 128, b: 128, alpha: 0.2 };
  return sharp({ create: { width: 20, height: 20, channels: 4, background } })
    .png()
    .toBuffer();
}
