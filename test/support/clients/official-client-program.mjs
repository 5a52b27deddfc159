/**
 * Calls Pdfcrowd's official client as its documentation describes. It reads the calls as JSON (`ClientPlan` in official-client.ts)
 * from standard input, and writes the results as JSON to standard output.
 */
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import pdfcrowd from 'pdfcrowd';

const plan = JSON.parse(await text(process.stdin));
const client = new pdfcrowd[plan.client](plan.user, plan.key);
client.setUseHttp(true);
// The client has no setter for the port.
if (plan.port !== undefined) client.helper.port = plan.port;

const results = [];
for (const [name, ...parameters] of plan.calls) {
  if (name.startsWith('convert')) results.push(await convert(name, parameters));
  else client[name](...parameters);
}
process.stdout.write(JSON.stringify(results));

/** Runs a conversion. For `convertStream`, the parameters are the path of a file and, optionally, the encoding of its stream. */
async function convert(name, [input, encoding]) {
  const stream = name === 'convertStream' ? createReadStream(input, { encoding }) : input;
  const ending = await new Promise((resolve) => {
    const chunks = [];
    client[name](stream, {
      data: (output) => output.on('data', (chunk) => chunks.push(chunk)),
      error: (message, status) => resolve({ error: shown(new pdfcrowd.Pdfcrowd.Error(message, status)) }),
      end: () => resolve({ output: Buffer.concat(chunks).toString('base64') }),
    });
  });
  return { ...ending, ...reportedFacts() };
}

function shown(error) {
  return {
    status: error.getStatusCode(),
    reason: error.getReasonCode(),
    message: error.getMessage(),
    link: error.getDocumentationLink(),
  };
}

/** Returns what the client reports about the last conversion. The client for images reports no page counts. */
function reportedFacts() {
  return {
    job: client.getJobId(),
    consumed: client.getConsumedCreditCount(),
    remaining: client.getRemainingCreditCount(),
    pages: client.getPageCount?.(),
    totalPages: client.getTotalPageCount?.(),
    size: client.getOutputSize(),
    debugLog: client.getDebugLogUrl(),
  };
}
